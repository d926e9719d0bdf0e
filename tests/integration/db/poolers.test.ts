import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { takeBootLock } from '../../../server/core/db/lock.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'
import { aPgBouncer, hasPgBouncer } from '../../support/database/pgbouncer.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const held = () =>
  world.database
    .sql`select pid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

/** Does `run` with the test's database behind PgBouncer. */
async function behind(mode: 'transaction' | 'session', run: (url: string) => Promise<void>, settings = {}) {
  const url = new URL(world.config.database_url!)
  const socket = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const target = socket ? { path: `${socket}/.s.PGSQL.${port}` } : { host: url.hostname, port }
  const login = `user=${url.username}${url.password ? ` password=${url.password}` : ''}`
  const pooler = await aPgBouncer({ target, login, mode, settings })
  try {
    await run(`postgres://${url.username}@127.0.0.1:${pooler.port}${url.pathname}`)
  } finally {
    await pooler.close()
  }
}

const take = async (database_url: string) => {
  const database = await openDatabase({ ...world.config, database_url }, { max: 2 })
  try {
    const lock = await takeBootLock(database)
    await lock.release()
    return 'taken'
  } catch (error) {
    return error
  } finally {
    await database.close()
  }
}

test.runIf(hasPgBouncer).each([
  ['that reuses the most recent connection', {}],
  ['that reuses the least recent connection', { server_round_robin: 1 }],
  ['with one connection', { default_pool_size: 1 }]
])(
  'a transaction pooler %s is refused before the boot lock is taken, and no lock is left behind',
  async (_, settings) => {
    await behind(
      'transaction',
      async (url) => {
        expect(await take(url)).toBeInstanceOf(ConfigError)
        expect(await held()).toEqual([])
      },
      settings
    )
  }
)

test.runIf(hasPgBouncer)(
  'an instance that would have to wait for the boot lock detects a transaction pooler too',
  async () => {
    const lock = await takeBootLock(world.database)
    await behind('transaction', async (url) => {
      expect(await take(url)).toMatchObject({ message: expect.stringContaining('pool_mode = session') })
    })
    await lock.release()
  }
)

test.runIf(hasPgBouncer)('a pooler of sessions is supported', async () => {
  await behind('session', async (url) => {
    expect(await take(url)).toBe('taken')
  })
  await expect.poll(held).toEqual([])
})
