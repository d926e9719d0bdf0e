import { defineEventHandler, setResponseStatus } from 'h3'
import { getRuntime } from '../boot.ts'

/** Degraded is 200: if a proxy took the instance out, the screens, which still work, would be unreachable too. */
export default defineEventHandler(async (event) => {
  const health = await getRuntime().health()
  if (health.status === 'unhealthy') setResponseStatus(event, 503)
  return health
})
