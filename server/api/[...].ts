import { defineEventHandler } from 'h3'
import { getRuntime } from '../boot.ts'

/** Handles what no file matches: endpoints of community modules, and the answers to unknown paths and methods. */
export default defineEventHandler(event => getRuntime().api.handler(event))
