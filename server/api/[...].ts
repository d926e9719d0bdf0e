import { defineEventHandler } from 'h3'
import { getRuntime } from '../boot.ts'

/** Every endpoint, the core's and the modules', is mounted by `core/http/mount.ts`. */
export default defineEventHandler(event => getRuntime().api.handler(event))
