import type { Logger } from '@svc/kit'
import { clock } from './clock.ts'
import type { Config } from './config.ts'
import { startHeartbeat, type Heartbeat } from './db/heartbeat.ts'
import { takeBootLock, type BootLock } from './db/lock.ts'
import { migrateCore } from './migrate-core.ts'
import { openWhenWritable } from './db/open-when-writable.ts'
import { checkDocumentStore, checkOperatorCertificate } from './documents/advice.ts'
import { ensureCertificate } from './documents/certificate.ts'
import { startWorker } from './events/worker.ts'
import { closeToOthers } from './files/private-folders.ts'
import { createApi, type Api } from './http/mount.ts'
import type { Route } from './types.ts'
import { discover } from './modules/discover.ts'
import { processPending } from './modules/lifecycle.ts'
import type { Bundled } from './modules/load.ts'
import { createRegistry } from './modules/registry.ts'
import { createHealth, type Health } from './observe/health.ts'
import { openHost } from './open-host.ts'
import { createFindActor } from './people/find-actor.ts'
import { createRestarts } from './restart.ts'
import type { Host } from './host.ts'
import { checkSecrets, checkSecret, recordSecret } from './people/seals/used-secrets.ts'

export interface Runtime {
  host: Host
  api: Api
  heartbeat: Heartbeat
  /** For probes. */
  health(): Promise<Health>
  /** Begins to stop: no more jobs are taken. */
  drain(): void
  close(): Promise<void>
}

/** Called with a sentence about what the start is waiting for, and with null when it continues. */
type OnWait = (reason: string | null) => void

interface RuntimeOptions {
  signal?: AbortSignal
  /** Called to restart this process. */
  stop?: () => void
  onWait?: OnWait
  /** True if the first clinic is created as soon as this process answers, as with `svc up --demo`. */
  setup_follows?: boolean
}

/**
 * The whole boot, in this order: lock, the core's migrations while modules on disk are read, orphans, pending
 * operations, running modules, traffic. Throws ConfigError for another instance's secret, OrphanError, and any error of
 * the database.
 */
export async function start(config: Config, bundled: Bundled, surroundings: RuntimeOptions = {}): Promise<Runtime> {
  const { signal = new AbortController().signal, stop = () => {}, onWait = () => {} } = surroundings
  const { setup_follows = false } = surroundings
  const waiting = (log: Logger) => ({
    signal,
    onWait(reason: string | null) {
      if (reason !== null) log.warn('boot.waiting', { reason })
      onWait(reason)
    }
  })
  const host = await openHost(config, log => openWhenWritable(config, waiting(log)))
  const heartbeat = startHeartbeat(host.database, host.log)
  try {
    await closeToOthers(config.storage, host.log)
    await prepare(host, bundled, waiting(host.log))
    const coreRoutes = bundled.routes.filter(({ module }) => module === null)
    return await run(host, { heartbeat, stop, setup_follows, coreRoutes })
  } catch (error) {
    await heartbeat.stop()
    await host.database.close()
    throw error
  }
}

/** One process at a time; the others wait for the lock, alive but not ready. */
async function prepare(
  host: Host,
  bundled: Bundled,
  waiting: { signal: AbortSignal, onWait: OnWait }
): Promise<void> {
  const { config, database } = host
  const lock = await takeBootLock(database, waiting)
  waiting.onWait(null)
  try {
    await lock.step(({ sql }) => checkSecret(sql, host.secrets)) // before the first migration
    // Manifests are read while the database migrates; both must end before the lock is released.
    const [found, migrated] = await Promise.allSettled([discover(config), migrate(host, lock)])
    if (migrated.status === 'rejected') throw migrated.reason
    if (found.status === 'rejected') throw found.reason
    const discovered = found.value
    if (!host.operator_certificate) await ensureCertificate(host)
    await processPending({ host, lock, discovered, bundled, signal: waiting.signal })
    host.registry = await createRegistry({ host, discovered, bundled })
  } finally {
    await lock.release()
  }
}

async function migrate({ config, secrets, log }: Host, lock: BootLock): Promise<void> {
  await migrateCore(lock, { root: config.root, secrets: () => secrets })
  const missing = await lock.step(async ({ sql }) => {
    await recordSecret(sql, secrets)
    return await checkSecrets(sql, secrets)
  })
  for (const { code, object, message } of missing) log.warn('service.advice', { about: code, object, message })
}

interface Running { heartbeat: Heartbeat, stop: () => void, setup_follows: boolean, coreRoutes: Route[] }

async function run(host: Host, { heartbeat, stop, setup_follows, coreRoutes }: Running): Promise<Runtime> {
  const { log, database, registry, version, boot_id } = host
  const listening = createRestarts({ ...host, stop })
  const api = createApi(host, createFindActor(host), coreRoutes)
  const restarts = await listening
  host.restart = restarts.request
  const health = createHealth(host, heartbeat)
  const worker = startWorker(host, heartbeat) // last: the start need not wait for its first check of the schedules
  log.info('service.ready', { version, boot_id, modules: registry.modules.map(module => module.name) })
  void warn(host, setup_follows).catch((error: unknown) => log.warn('service.advice', { error }))

  let drained: Promise<void> | undefined
  let closed: Promise<void> | undefined
  const drain = () => {
    host.import_checks.close()
    return drained ??= worker.stop()
  }
  async function close() {
    await Promise.all([drain(), restarts.close()])
    await host.audit.settled()
    await host.threads.close()
    await host.tracing.close()
    await heartbeat.stop()
    await database.close()
  }
  return { host, api, heartbeat, health, drain: () => void drain(), close: () => closed ??= close() }
}

/**
 * Logs a warning if the clinic is missing, and the doctor's findings about documents, for operators who only read the
 * log. Delays nothing, because a store may answer late.
 */
async function warn(
  { db, operator_certificate, files, log, setup }: Host,
  setup_follows: boolean
): Promise<void> {
  if (!setup_follows && await setup.isNeeded())
    log.warn('service.advice', {
      about: 'setup_needed',
      object: '/setup',
      message: 'No clinic was set up yet. Open /setup and enter the set-up code. For a new code, run: svc setup code'
    })
  const certificate = operator_certificate ? checkOperatorCertificate(operator_certificate, await clock.now(db)) : []
  for (const { code, object, message } of [...certificate, ...(await checkDocumentStore(files))])
    log.warn('service.advice', { about: code, object, message })
}
