import { defineEventHandler, setResponseStatus } from 'h3'
import { getRuntime } from '../boot.ts'

/** Degraded is 200: a proxy that took the instance out would take the screens away too, which still work. */
export default defineEventHandler(async (event) => {
  const health = await getRuntime().health()
  if (health.status === 'unhealthy') setResponseStatus(event, 503)
  return health
})
