import type { Gauge } from '@svc/kit'
import type { Histogram, Registry as Prometheus } from 'prom-client'
import type { Sql } from 'postgres'
import { loadOnce } from '../load-once.ts'
import { describeError } from '../log.ts'
import type { Measured, Metrics } from '../types.ts'
import { workGauges } from './work-gauges.ts'

/**
 * Gauges of the library with a counter's suffix, which Prometheus' own linter refuses. `nodejs_active_resources` and
 * the like report the same by type.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Counts in this process from its first request. That request also loads the library, so that no start waits for it.
 */
export function createMetrics(counted: Counted): Metrics {
  const library = loadOnce(() => load(counted))

  return {
    // `text` reports this error.
    observe: ({ method, route, status, seconds }) =>
      void library().then(
        ({ requests }) => requests.observe({ method, route, status }, seconds),
        () => {}
      ),
    observeCall: ({ module, outcome, seconds }) =>
      void library().then(
        ({ calls }) => calls.observe({ module, outcome }, seconds),
        () => {}
      ),
    async text(host) {
      const { prometheus, process } = await library()
      const asked = new prometheus.Registry()
      for (const { name, help, value, labels = {} } of await gauges(host)) {
        const known = asked.getSingleMetric(name) as InstanceType<typeof prometheus.Gauge> | undefined
        const gauge = known ?? new prometheus.Gauge({ name, help, labelNames: Object.keys(labels), registers: [asked] })
        gauge.set(labels, value)
      }
      return { type: process.contentType, body: await prometheus.Registry.merge([process, asked]).metrics() }
    }
  }
}

/** What another part of this process counts. */
interface Counted { refusedConnections: () => number }
interface Loaded { prometheus: typeof import('prom-client'), process: Prometheus, requests: Histogram, calls: Histogram }

async function load({ refusedConnections }: Counted): Promise<Loaded> {
  const { default: prometheus } = await import('prom-client')
  const process = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: process })
  for (const name of MISNAMED) process.removeSingleMetric(name)
  const requests = new prometheus.Histogram({
    name: 'svc_http_request_seconds',
    help: 'From the request to the answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [process]
  })
  const calls = new prometheus.Histogram({
    name: 'svc_outgoing_call_seconds',
    help: 'From a module\'s call of another service to the end of its answer, by outcome.',
    labelNames: ['module', 'outcome'],
    buckets: BUCKETS,
    registers: [process]
  })
  new prometheus.Counter({
    name: 'svc_http_connections_refused_total',
    help: 'Connections closed because their address, or the service, had reached its limit.',
    registers: [process],
    collect() {
      this.reset()
      this.inc(refusedConnections())
    }
  })
  return { prometheus, process, requests, calls }
}

/** The database's figures are the same for all instances: read them from any instance, and do not sum them. */
async function gauges({ database, registry, activity, troubles, log, version }: Measured): Promise<Gauge[]> {
  const ofModules = await Promise.all(registry.modules.map(async ({ name, definition, ctx }) => {
    try {
      const own = await definition.metrics?.(ctx) ?? []
      return own.map(gauge => ({ ...gauge, name: `svc_${name}_${gauge.name}` }))
    } catch (error) {
      log.error('metrics.module', { module: name, error: describeError(error) })
      return []
    }
  }))
  return [
    { name: 'svc_info', help: 'The running release.', value: 1, labels: { version } },
    { name: 'svc_modules_broken', help: 'Installed modules that are not running.', value: registry.broken.length },
    ...await workGauges({ database, registry, activity, troubles }),
    ...await ofDeliveries(database.sql),
    ...await ofWebhooks(database.sql),
    ...await ofLocks(database.sql),
    ...ofModules.flat()
  ]
}

async function ofDeliveries(sql: Sql): Promise<Gauge[]> {
  const rows = await sql<{ kind: string, n: number, oldest: number, failing: number }[]>`
    select kind, count(*)::int as n, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest,
           count(*) filter (where attempts > 0)::int as failing
    from core_delivery where status = 'pending' group by kind`
  const of = (kind: string) => rows.find(row => row.kind === kind) ?? { n: 0, oldest: 0, failing: 0 }
  return ['event', 'job'].flatMap(kind => [
    {
      name: 'svc_outbox_pending',
      help: 'Deliveries of events and jobs that wait.',
      value: of(kind).n,
      labels: { kind }
    },
    {
      name: 'svc_outbox_failing',
      help: 'Those of them that have failed at least once.',
      value: of(kind).failing,
      labels: { kind }
    },
    { name: 'svc_outbox_lag_seconds', help: 'Age of the oldest one.', value: of(kind).oldest, labels: { kind } }
  ])
}

async function ofWebhooks(sql: Sql): Promise<Gauge[]> {
  const [row] = await sql<{ n: number, oldest: number, failing: number }[]>`
    select (select count(*)::int from core_webhook_delivery where status = 'pending') as n,
           (select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 from core_webhook_delivery where status = 'pending') as oldest,
           (select count(*)::int from core_webhook where active and failing_since is not null) as failing`
  return [
    { name: 'svc_webhook_pending', help: 'Webhook deliveries that wait.', value: row!.n },
    { name: 'svc_webhook_lag_seconds', help: 'Age of the oldest one.', value: row!.oldest },
    { name: 'svc_webhook_failing', help: 'Webhooks whose attempts fail at present.', value: row!.failing }
  ]
}

/** Selected by the waiting sessions' database, because a wait for another's transaction has no database in pg_locks. */
async function ofLocks(sql: Sql): Promise<Gauge[]> {
  const [row] = await sql<{ n: number }[]>`
    select count(distinct pid)::int as n from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`
  return [
    {
      name: 'svc_database_lock_waiters',
      help: 'Connections to this database that wait for a lock held by another one.',
      value: row!.n
    }
  ]
}
