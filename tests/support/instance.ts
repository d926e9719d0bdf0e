import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, toNodeListener } from 'h3'
import type postgres from 'postgres'
import { inject } from 'vitest'
import { createToken } from '../../server/core/people/tokens/create-token.ts'
import { readConfig } from '../../server/core/config.ts'
import { openConnection } from '../../server/core/db/connection.ts'
import type { Bundled } from '../../server/core/modules/load.ts'
import { start, type Runtime } from '../../server/core/runtime.ts'
import { createCaller, type Caller } from './caller.ts'
import { copyDatabase, databaseUrl, onServer } from './database/database-server.ts'
import { aQuickFolder } from './database/quick-folder.ts'
import { official, root } from './modules/official.ts'
import { createPeople, type Role } from './people.ts'

export interface Instance {
  url: string
  runtime: Runtime
  /** A plain client to the same database, not the product's. */
  sql: postgres.Sql
  storage: string
  clinic: { id: string }
  /** Calls as a member of the clinic, or of another one. */
  as (role: Role, clinic?: { id: string }): Promise<Caller>
  /** Calls with a token of scope admin. */
  asInstanceAdmin (): Promise<Caller>
  /** Calls without credentials; stores cookies like a browser, and sends its own origin. */
  anonymous (): Caller
  anotherClinic (): Promise<{ id: string }>
  /** Stops the runtime, does `meanwhile`, and starts it again on the same database, storage and port. */
  restart (meanwhile?: () => Promise<unknown>): Promise<void>
  close (): Promise<void>
}

interface InstanceOptions {
  env?: Record<string, string>
  modules?: Bundled
  /** A database of the caller, which may be empty and is not removed. */
  database_url?: string
}

/** The real core with the official modules and a fresh copy of the template, over real HTTP on loopback. */
export async function anInstance(options: InstanceOptions = {}): Promise<Instance> {
  const own = options.database_url ? { url: options.database_url, remove: async () => {} } : await aCopy()
  const storage = aQuickFolder('svc-test-')

  let runtime: Runtime
  // The caller closes an idle connection first: on a busy machine the server could close one while a request is being
  // sent.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) =>
    toNodeListener(createApp().use(runtime.api.handler))(request, response)
  )
  const url = await listen(server)
  const env = {
    DATABASE_URL: own.url,
    SVC_STORAGE: storage,
    SVC_BASE_URL: url,
    SVC_SECRET: 'a secret for tests, long enough to pass',
    LOG_LEVEL: 'silent',
    SVC_HASH_COST: process.env.SVC_HASH_COST ?? '',
    ...options.env
  }
  const boot = async () => { runtime = await start(readConfig(env, root), options.modules ?? official) }
  await boot()

  const database = await openConnection(readConfig(env, root), { max: 4, name: 'test' })
  const people = createPeople(() => runtime.host, url)
  const clinic = await people.clinic('Clínica Peñalver')

  return {
    url,
    get runtime() {
      return runtime
    },
    sql: database.sql,
    storage,
    clinic,
    as: (role, at = clinic) => people.member(role, at),
    asInstanceAdmin: async () =>
      createCaller(url, { bearer: (await createToken(runtime.host, { scope: 'admin' })).token }),
    anonymous: () => createCaller(url),
    anotherClinic: () => people.clinic('Another Clinic'),
    async restart(meanwhile) {
      await runtime.close()
      try {
        await meanwhile?.()
      } finally {
        await boot()
      }
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await runtime.close()
      await database.close()
      await own.remove()
      rmSync(storage, { recursive: true, force: true })
    }
  }
}

/** For the database with everything installed. */
async function aCopy(): Promise<{ url: string, remove(): Promise<void> }> {
  const { admin, strategy, template } = inject('databases')
  const name = `svc_test_${randomBytes(6).toString('hex')}`
  await copyDatabase({ admin, strategy }, template, name)
  return {
    url: databaseUrl(admin, name),
    remove: () => onServer(admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
  }
}

function listen(server: Server): Promise<string> {
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  )
}
