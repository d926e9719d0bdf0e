import type { Logger } from '@svc/kit'
import { clock } from './clock.ts'
import type { Config } from './config.ts'
import { startHeartbeat, type Heartbeat } from './db/heartbeat.ts'
import { takeBootLock, type BootLock } from './db/lock.ts'
import { migrateCore } from './db/migrate-core.ts'
import { openWhenWritable } from './db/open-when-writable.ts'
import { aboutDocumentStore, aboutOperatorCertificate } from './documents/advice.ts'
import { ensureCertificate } from './documents/certificate.ts'
import { migrateJobTables } from './events/job-tables.ts'
import { startWorker } from './events/worker.ts'
import { closeToOthers } from './files/private-folders.ts'
import { createApi, type Api } from './http/mount.ts'
import type { Route } from './http/scan.ts'
import { discover } from './modules/discover.ts'
import { processPending } from './modules/lifecycle.ts'
import type { Bundled } from './modules/load.ts'
import { createRegistry } from './modules/registry.ts'
import { createHealth, type Health } from './observe/health.ts'
import { openServices } from './open-services.ts'
import { createRestarts } from './restart.ts'
import type { Services } from './services.ts'
import { aboutSecrets, checkSecret, recordSecret } from './used-secrets.ts'

export interface Runtime {
  services: Services
  api: Api
  heartbeat: Heartbeat
  /** For probes. */
  health(): Promise<Health>
  /** Begins to end: no job is taken any more. */
  drain(): void
  close(): Promise<void>
}

/** What the start waits for, in a sentence; null when it goes on. */
type OnWait = (reason: string | null) => void

interface Surroundings {
  signal?: AbortSignal
  /** What a restart does to this process. */
  stop?: () => void
  onWait?: OnWait
}

/**
 * The whole boot, in the order of the specification: lock, core's migrations and meanwhile modules on disk, orphans,
 * pending operations, running modules, traffic. Throws ConfigError for another instance's secret, OrphanError and
 * whatever the database throws.
 */
export async function start(config: Config, bundled: Bundled, surroundings: Surroundings = {}): Promise<Runtime> {
  const { signal = new AbortController().signal, stop = () => {}, onWait = () => {} } = surroundings
  const waiting = (log: Logger) => ({
    signal,
    onWait(reason: string | null) {
      if (reason !== null) log.warn('boot.waiting', { reason })
      onWait(reason)
    }
  })
  const services = await openServices(config, log => openWhenWritable(config, waiting(log)))
  const heartbeat = startHeartbeat(services.database, services.log)
  try {
    await closeToOthers(config.storage, services.log)
    await prepare(services, bundled, waiting(services.log))
    return await run(services, { heartbeat, stop, coreRoutes: bundled.routes.filter(({ module }) => module === null) })
  } catch (error) {
    await heartbeat.stop()
    await services.database.close()
    throw error
  }
}

/** One process at a time; the others wait for the lock, alive but not ready. */
async function prepare(
  services: Services,
  bundled: Bundled,
  waiting: { signal: AbortSignal, onWait: OnWait }
): Promise<void> {
  const { config, database } = services
  const lock = await takeBootLock(database, waiting)
  waiting.onWait(null)
  try {
    await lock.step(({ sql }) => checkSecret(sql, services.secrets)) // before the first migration
    // Manifests are read while the database migrates; the lock outlives both.
    const [found, migrated] = await Promise.allSettled([discover(config), migrate(services, lock)])
    if (migrated.status === 'rejected') throw migrated.reason
    if (found.status === 'rejected') throw found.reason
    const discovered = found.value
    if (!services.operator_certificate) await ensureCertificate(services)
    await processPending({ services, lock, discovered, bundled, signal: waiting.signal })
    services.registry = await createRegistry({ services, discovered, bundled })
  } finally {
    await lock.release()
  }
}

async function migrate({ config, database, secrets, log }: Services, lock: BootLock): Promise<void> {
  await migrateCore(lock, { root: config.root, secrets: () => secrets })
  const missing = await lock.step(async ({ sql }) => {
    await recordSecret(sql, secrets)
    return await aboutSecrets(sql, secrets)
  })
  for (const { code, object, message } of missing) log.warn('service.advice', { about: code, object, message })
  await migrateJobTables(database, config.root)
}

interface Running { heartbeat: Heartbeat, stop: () => void, coreRoutes: Route[] }

async function run(services: Services, { heartbeat, stop, coreRoutes }: Running): Promise<Runtime> {
  const { log, database, registry, version, boot_id } = services
  const listening = createRestarts({ ...services, stop })
  const api = createApi(services, coreRoutes)
  const restarts = await listening
  services.restart = restarts.request
  const health = createHealth(services, heartbeat)
  const worker = startWorker(services, heartbeat) // last: its first look at the schedules is nothing to wait for
  log.info('service.ready', { version, boot_id, modules: registry.modules.map(module => module.name) })
  void warn(services).catch((error: unknown) => log.warn('service.advice', { error }))

  let drained: Promise<void> | undefined
  let closed: Promise<void> | undefined
  const drain = () => drained ??= worker.stop()
  async function close() {
    await Promise.all([drain(), restarts.close()])
    await services.threads.close()
    await services.tracing.close()
    await heartbeat.stop()
    await database.close()
  }
  return { services, api, heartbeat, health, drain: () => void drain(), close: () => closed ??= close() }
}

/**
 * What the doctor would say of documents, for those who only read the log. Holds nothing up: a store may answer late.
 */
async function warn({ db, operator_certificate, files, log }: Services): Promise<void> {
  const certificate = operator_certificate ? aboutOperatorCertificate(operator_certificate, await clock.now(db)) : []
  for (const { code, object, message } of [...certificate, ...(await aboutDocumentStore(files))])
    log.warn('service.advice', { about: code, object, message })
}
