import { problem, type Ctx } from '@svc/kit'
import { createLog } from '../../../server/core/log.ts'
import { createMetrics } from '../../../server/core/observe/metrics.ts'
import { createTracing } from '../../../server/core/observe/tracing.ts'
import { createOutgoing } from '../../../server/core/outgoing/outgoing.ts'

/**
 * What a provider uses of its context: the host's own outgoing calls and log. `lines` is everything that was logged.
 * `stopWaitingAt` shortens the time limit of calls whose method and path match, for tests of a provider that hangs.
 */
export async function aCallingCtx() {
  let hanging: RegExp | null = null
  const lines: string[] = []
  const log = createLog({ production: true, log_level: 'debug' }, line => void lines.push(line))
  const metrics = createMetrics({ refusedConnections: () => 0 })
  const tracing = await createTracing({ otlp_endpoint: null, service_name: 'test' }, { log, version: '1', boot_id: 'b' })
  const config = { webhook_allow_private: true } as Parameters<typeof createOutgoing>[0]['config']
  const { fetch } = createOutgoing(
    { config, log, metrics, tracing, version: '1' },
    { module: 'payments', mayCall: () => Promise.resolve(true) }
  )
  const http: Ctx['http'] = {
    fetch: (url, request) =>
      fetch(url, hanging?.test(`${request?.method ?? 'GET'} ${new URL(url).pathname}`) ? { ...request, timeout_ms: 300 } : request)
  }
  const clock = { now: () => Promise.resolve(new Date()) }
  const stopWaitingAt = (calls: RegExp | null) => void (hanging = calls)
  return { lines, stopWaitingAt, ctx: { http, log, problem, clock } as unknown as Ctx }
}
