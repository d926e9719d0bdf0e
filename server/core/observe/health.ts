import { setTimeout as pause } from 'node:timers/promises'
import type { Heartbeat } from '../db/heartbeat.ts'
import { CHECKS, type CheckName } from '../check-names.ts'
import { findWaitingCommits } from '../db/waiting-commits.ts'
import { CORE } from '../core-module.ts'
import { findLateDelivery, findLateWebhook, LATE_SECONDS } from './late-work.ts'
import type { Host } from '../host.ts'
import { createProbes } from './probes.ts'

/** What each check measures, and the number of seconds after which it fails. */
const FAILS_AFTER: Record<CheckName, number> = {
  /** Time since the worker of this process last looked for work. */
  workers: 15,
  /** An event or job is due, but no worker has started it. */
  deliveries: LATE_SECONDS,
  webhooks: LATE_SECONDS,
  /** A commit waits for a synchronous standby. */
  replication: 5,
  /** The database has no room or memory for writes. */
  database: 0,
  /** Documents cannot be stored or read, or the store hangs. */
  documents: 0
}

export interface Check { status: 'ok' | 'failing', seconds: number }
export type Health
  = | { status: 'healthy' | 'unhealthy', version: string }
    | { status: 'degraded', version: string, checks: Record<CheckName, Check> }

/** Anyone may call it, so concurrent requests share an answer. */
const SHARED_MS = 1000
const ANSWER_MS = 2000
/** How long an answer waits for the checks. If a folder hangs, the next answer reports it. */
const PROBE_TIMEOUT_MS = 1000

/**
 * Unhealthy: the database does not answer. Degraded: it answers, but jobs cannot run, commits hang, or a disk or store
 * accepts no writes.
 */
export function createHealth(host: Host, heartbeat: Heartbeat): () => Promise<Health> {
  // A separate connection: while commits hang, each connection of the pool may be waiting for one.
  const sql = host.database.connect({ max: 1, name: 'health' })
  const { version, registry, activity, log } = host
  let last: { at: number, health: Promise<Health> } | null = null

  const probeAll = createProbes(host, sql)

  async function measure(): Promise<Record<CheckName, number>> {
    await Promise.race([probeAll(), pause(PROBE_TIMEOUT_MS, null, { ref: false })])
    const modules = [CORE, ...registry.modules.map(module => module.name)]
    return {
      workers: activity.seconds(),
      deliveries: (await findLateDelivery(sql, modules))?.seconds ?? 0,
      webhooks: (await findLateWebhook(sql))?.seconds ?? 0,
      replication: (await findWaitingCommits(sql)).seconds,
      database: host.troubles.database.seconds(),
      documents: host.troubles.documents.seconds()
    }
  }

  async function look(): Promise<Health> {
    if (!await heartbeat.answers()) return { status: 'unhealthy', version }
    const measured = await Promise.race([measure(), pause(ANSWER_MS, null, { ref: false })]).catch((error: unknown) => {
      log.warn('health.failed', { error })
      return null
    })
    return measured ? toHealth(version, measured) : { status: 'unhealthy', version }
  }

  return () => {
    if (!last || performance.now() - last.at > SHARED_MS) last = { at: performance.now(), health: look() }
    return last.health
  }
}

function toHealth(version: string, measured: Record<CheckName, number>): Health {
  const checks = Object.fromEntries(CHECKS.map((name) => {
    const seconds = measured[name]
    return [name, { status: seconds > FAILS_AFTER[name] ? 'failing' : 'ok', seconds: Math.floor(seconds) }]
  })) as Record<CheckName, Check>
  const isFine = CHECKS.every(name => checks[name].status === 'ok')
  return isFine ? { status: 'healthy', version } : { status: 'degraded', version, checks }
}
