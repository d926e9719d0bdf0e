import { defineEventHandler, setResponseStatus } from 'h3'
import { getRuntime } from '../boot.ts'

export default defineEventHandler(async (event) => {
  const { services, heartbeat } = getRuntime()
  const healthy = await heartbeat.answers()
  if (!healthy) setResponseStatus(event, 503)
  return { status: healthy ? 'healthy' : 'unhealthy', version: services.version }
})
