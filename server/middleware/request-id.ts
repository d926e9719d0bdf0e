import { defineEventHandler, setResponseHeader } from 'h3'
import { contextOf } from '../core/http/request.ts'
import { getRuntime, isBooted } from '../boot.ts'

/** Every answer names its request, pages and probes too; the API reuses the same context. */
export default defineEventHandler((event) => {
  if (!isBooted()) return
  const { request_id } = contextOf(event, getRuntime().services.config)
  setResponseHeader(event, 'X-Request-Id', request_id)
})
