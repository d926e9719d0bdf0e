import { defineEventHandler, setResponseHeader, setResponseStatus } from 'h3'
import { bootState, bootWaitsFor, getRuntime, isBooted } from '../boot.ts'

export default defineEventHandler((event) => {
  const state = bootState()
  if (state !== 'ready') {
    setResponseStatus(event, 503)
    setResponseHeader(event, 'Retry-After', 1)
  }
  // A different id means that the service has restarted, even if no probe failed meanwhile.
  const reason = state === 'starting' ? bootWaitsFor() : null
  return { status: state, boot_id: isBooted() ? getRuntime().host.boot_id : null, ...(reason ? { reason } : {}) }
})
