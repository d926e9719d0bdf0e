import { defineEventHandler } from 'h3'
import { getRuntime } from '../boot.ts'

/** What no file takes: endpoints of community modules, and the answers to unknown addresses and methods. */
export default defineEventHandler(event => getRuntime().api.handler(event))
