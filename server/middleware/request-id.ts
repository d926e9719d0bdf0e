import { defineEventHandler, setResponseHeader } from 'h3'
import { contextOf } from '../core/http/request.ts'
import { getRuntime, isBooted } from '../boot.ts'

/** Every answer has its request's id, including pages and probes; the API adds it itself. */
export default defineEventHandler((event) => {
  if (!isBooted() || event.path.startsWith('/api/v1/')) return
  const { request_id } = contextOf(event, getRuntime().host.config)
  setResponseHeader(event, 'X-Request-Id', request_id)
})
