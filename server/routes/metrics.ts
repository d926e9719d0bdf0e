import { defineEventHandler } from 'h3'
import { getRuntime } from '../boot.ts'

export default defineEventHandler(event => getRuntime().api.handler(event))
