import { defineEventHandler, setResponseStatus } from 'h3'
import { getRuntime } from '../boot.ts'

export default defineEventHandler(async (event) => {
  const { services } = getRuntime()
  const healthy = await services.database.sql`select 1`.then(() => true, () => false)
  if (!healthy) setResponseStatus(event, 503)
  return { status: healthy ? 'healthy' : 'unhealthy', version: services.version }
})
