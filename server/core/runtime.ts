import { join } from 'node:path'
import type { Config } from './config.ts'
import { takeBootLock } from './db/lock.ts'
import { migrateTo } from './db/migrate.ts'
import { migrateWorker, startWorker } from './events/worker.ts'
import { createApi, type Api } from './http/mount.ts'
import { discover } from './modules/discover.ts'
import { processPending } from './modules/lifecycle.ts'
import type { Bundled } from './modules/load.ts'
import { createRegistry } from './modules/registry.ts'
import { openServices } from './open-services.ts'
import { createRestarts } from './restart.ts'
import type { Services } from './services.ts'

export interface Runtime { services: Services, api: Api, close(): Promise<void> }

/**
 * The whole boot, in the order of the specification: lock, core's migrations, modules on disk, orphans,
 * pending operations, running modules, traffic. Throws OrphanError and whatever the database throws.
 * `stop` is what a restart does to this process.
 */
export async function start(config: Config, bundled: Bundled, signal = new AbortController().signal, stop = () => {}): Promise<Runtime> {
  const services = await openServices(config)
  const lock = await takeBootLock(services.database, { signal })
  try {
    await migrateTo(lock, { module: 'core', folder: join(config.root, 'drizzle'), target: 'head' })
    await migrateWorker(services.database)
    const discovered = await discover(config)
    await processPending({ services, lock, discovered, bundled, signal })
    services.registry = await createRegistry({ services, discovered, bundled })
  } finally {
    await lock.release()
  }
  const worker = await startWorker(services)
  const api = createApi(services)
  const restarts = await createRestarts({ ...services, stop })
  services.restart = restarts.request
  services.log.info('service.ready', { version: services.version, boot_id: services.boot_id, modules: services.registry.modules.map(module => module.name) })

  let closed: Promise<void> | undefined
  async function close() {
    await worker.stop()
    await restarts.close()
    await services.database.close()
  }
  return { services, api, close: () => closed ??= close() }
}
