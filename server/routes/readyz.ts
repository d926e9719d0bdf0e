import { defineEventHandler, setResponseHeader, setResponseStatus } from 'h3'
import { bootState, bootWaitsFor, getRuntime, isBooted } from '../boot.ts'

export default defineEventHandler((event) => {
  const state = bootState()
  if (state !== 'ready') {
    setResponseStatus(event, 503)
    setResponseHeader(event, 'Retry-After', 1)
  }
  // Another id than before tells that it has restarted, also when nobody saw it away.
  const reason = state === 'starting' ? bootWaitsFor() : null
  return { status: state, boot_id: isBooted() ? getRuntime().services.boot_id : null, ...(reason ? { reason } : {}) }
})
