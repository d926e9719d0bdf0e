import { join } from 'node:path'
import { clock } from './clock.ts'
import type { Config } from './config.ts'
import { takeBootLock, type BootLock } from './db/lock.ts'
import { migrateTo } from './db/migrate.ts'
import { startPulse, type Pulse } from './db/pulse.ts'
import { aboutDocumentStore, aboutOperatorCertificate } from './documents/advice.ts'
import { ensureCertificate } from './documents/certificate.ts'
import { migrateJobTables } from './events/job-tables.ts'
import { startWorker } from './events/worker.ts'
import { createApi, type Api } from './http/mount.ts'
import { discover } from './modules/discover.ts'
import { processPending } from './modules/lifecycle.ts'
import type { Bundled } from './modules/load.ts'
import { createRegistry } from './modules/registry.ts'
import { openServices } from './open-services.ts'
import { createRestarts } from './restart.ts'
import type { Services } from './services.ts'
import { aboutSecrets, checkSecret, recordSecret } from './used-secrets.ts'

export interface Runtime {
  services: Services
  api: Api
  pulse: Pulse
  /** Begins to end: no job is taken any more. */
  drain(): void
  close(): Promise<void>
}

/**
 * The whole boot, in the order of the specification: lock, core's migrations and meanwhile modules on disk, orphans,
 * pending operations, running modules, traffic. Throws ConfigError for another instance's secret, OrphanError and whatever the database throws.
 * `stop` is what a restart does to this process.
 */
export async function start(config: Config, bundled: Bundled, signal = new AbortController().signal, stop = () => {}): Promise<Runtime> {
  const services = await openServices(config)
  const pulse = startPulse(services.database, services.log)
  try {
    await prepare(services, bundled, signal)
    return await run(services, pulse, stop)
  } catch (error) {
    await pulse.stop()
    await services.database.close()
    throw error
  }
}

/** One process at a time; the others wait for the lock, alive but not ready. */
async function prepare(services: Services, bundled: Bundled, signal: AbortSignal): Promise<void> {
  const { config, database } = services
  const lock = await takeBootLock(database, { signal })
  try {
    await lock.step(({ sql }) => checkSecret(sql, services.secrets)) // before the first migration
    // Manifests are read while the database migrates; the lock outlives both.
    const [found, migrated] = await Promise.allSettled([discover(config), migrateCore(services, lock)])
    if (migrated.status === 'rejected') throw migrated.reason
    if (found.status === 'rejected') throw found.reason
    const discovered = found.value
    if (!services.operator_certificate) await ensureCertificate(services)
    await processPending({ services, lock, discovered, bundled, signal })
    services.registry = await createRegistry({ services, discovered, bundled })
  } finally {
    await lock.release()
  }
}

async function migrateCore({ config, database, secrets, log }: Services, lock: BootLock): Promise<void> {
  await migrateTo(lock, { module: 'core', folder: join(config.root, 'drizzle'), target: 'head' })
  const missing = await lock.step(async ({ sql }) => {
    await recordSecret(sql, secrets)
    return await aboutSecrets(sql, secrets)
  })
  for (const { code, object, message } of missing) log.warn('service.advice', { about: code, object, message })
  await migrateJobTables(database, config.root)
}

async function run(services: Services, pulse: Pulse, stop: () => void): Promise<Runtime> {
  const { log, database, registry, version, boot_id } = services
  const listening = createRestarts({ ...services, stop })
  const api = createApi(services)
  const restarts = await listening
  services.restart = restarts.request
  const worker = startWorker(services, pulse) // last: its first look at the schedules is nothing to wait for
  log.info('service.ready', { version, boot_id, modules: registry.modules.map(module => module.name) })
  void warn(services).catch((error: unknown) => log.warn('service.advice', { error }))

  let drained: Promise<void> | undefined
  let closed: Promise<void> | undefined
  const drain = () => drained ??= worker.stop()
  async function close() {
    await Promise.all([drain(), restarts.close()])
    await services.tracing.close()
    await pulse.stop()
    await database.close()
  }
  return { services, api, pulse, drain: () => void drain(), close: () => closed ??= close() }
}

/** What the doctor would say of documents, for those who only read the log. Holds nothing up: a store may answer late. */
async function warn({ db, operator_certificate, files, log }: Services): Promise<void> {
  const certificate = operator_certificate ? aboutOperatorCertificate(operator_certificate, await clock.now(db)) : []
  for (const { code, object, message } of [...certificate, ...await aboutDocumentStore(files)]) log.warn('service.advice', { about: code, object, message })
}
