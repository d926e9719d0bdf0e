import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { runInSavepoint, type Inner } from '../../../server/core/db/guarded/run-in-savepoint.ts'
import { copyDatabase, databaseUrl, onServer } from '../../support/database/database-server.ts'
import { root } from '../../support/modules/official.ts'

const { admin, strategy, template } = inject('databases')
const name = `svc_test_${randomBytes(6).toString('hex')}`
let database: Database

beforeAll(async () => {
  await copyDatabase({ admin, strategy }, template, name)
  // With one connection, a late statement reaches the next transaction.
  database = await openDatabase({ database_url: databaseUrl(admin, name), storage: tmpdir(), root }, { max: 1 })
  await database.sql`create table fact (name text not null)`
})
beforeEach(() => database.sql`delete from fact`)
afterAll(async () => {
  await database.close()
  await onServer(admin, sql => sql`drop database ${sql(name)} with (force)`)
})

const guarded = <T>(tx: TransactionSql, run: (inner: Inner) => Promise<T>) => runInSavepoint(tx, 2000, run)
const add = (tx: TransactionSql | Inner['connection']['sql'], fact: string) => tx`insert into fact values (${fact})`
/** Waits until late statements have reached the server. */
async function settle(tx: TransactionSql) {
  for (let count = 0; count < 3; count++) {
    await turn()
    await tx`select 1`
  }
}
const facts = async () => (await database.sql`select name from fact order by name`).map(row => row.name as string)

describe('code in a savepoint of another module\'s transaction', () => {
  test.each<[string, (inner: Inner, run: () => Promise<unknown>) => Promise<unknown>]>([
    ['drizzle', ({ tx }, run) => tx.transaction(run)],
    ['postgres.js', ({ connection: { sql } }, run) => (sql as unknown as TransactionSql).savepoint(run)]
  ])('fails if it does not wait for its inner transaction, which can’t undo what others write: %s', async (_, open) => {
    const held = Promise.withResolvers<never>()
    await database.sql.begin(async (tx) => {
      const stay = guarded(tx, async (inner) => {
        const begun = Promise.withResolvers<true>()
        open(inner, async () => {
          begun.resolve(true)
          await held.promise
        }).catch(() => {})
        await begun.promise
      })
      await expect(stay).rejects.toThrow('it did not wait for a transaction inside')
      await add(tx, 'decided')
      held.reject(new Error('too late'))
      await settle(tx)
    })
    expect(await facts()).toEqual(['decided'])
  })

  test.each(['select 1; commit', '/* done */ commit', 'rollback and chain', 'select 1; commit; begin'])(
    'fails if it ends the transaction, and nothing is written after it: %s',
    async (text) => {
      await expect(database.sql.begin(async (tx) => {
        await guarded(tx, async ({ connection: { sql } }) => await sql.unsafe(text))
        await add(tx, 'decided')
      })).rejects.toThrow()
      expect(await facts()).toEqual([])
    }
  )

  test('can’t have the transaction prepared instead of committed', async () => {
    await expect(database.sql.begin(tx => guarded(tx, async ({ connection: { sql } }) => {
      await add(sql, 'guard')
      await (sql as unknown as TransactionSql).prepare('later')
    }))).rejects.toThrow('its transaction belongs to the caller')
    expect(await facts()).toEqual([])
  })

  test('does not undo what the next transaction of the connection writes', async () => {
    const held = Promise.withResolvers<never>()
    await expect(database.sql.begin(tx => guarded(tx, async ({ tx: inner }) => {
      const begun = Promise.withResolvers<true>()
      inner.transaction(async () => {
        begun.resolve(true)
        await held.promise
      }).catch(() => {})
      await begun.promise
      throw new Error('refused')
    }))).rejects.toThrow('refused')
    await database.sql.begin(async (next) => {
      await guarded(next, async ({ connection: { sql } }) => await add(sql, 'guard'))
      await next.savepoint(async tx => await add(tx, 'first'))
      await add(next, 'second')
      held.reject(new Error('too late'))
      await settle(next)
    })
    expect(await facts()).toEqual(['first', 'guard', 'second'])
  })

  test('can’t begin an inner transaction after its own end', async () => {
    let kept: Inner
    await database.sql.begin(tx => guarded(tx, async (inner) => {
      kept = inner
    }))
    await database.sql.begin(async (next) => {
      let hasBegun = false
      const late = kept.tx.transaction(async () => {
        hasBegun = true
        await add(next, 'inside')
        throw new Error('its own')
      }).catch((error: Error) => error.message)
      await settle(next)
      await add(next, 'next')
      expect([await late, hasBegun]).toEqual(['its transaction has ended', false])
    })
    expect(await facts()).toEqual(['next'])
  })

  test('can’t send a statement after its end that it created before', async () => {
    let made: PromiseLike<unknown>[] = []
    await database.sql.begin(tx => guarded(tx, async ({ connection: { sql } }) => {
      made = [add(sql, 'tagged'), sql.unsafe('insert into fact values (\'unsafe\')')]
    }))
    await database.sql.begin(async (next) => {
      await add(next, 'next')
      const late = await Promise.allSettled(made)
      expect(late).toMatchObject([
        { status: 'rejected', reason: { message: 'its transaction has ended' } },
        { status: 'rejected', reason: { message: 'its transaction has ended' } }
      ])
    })
    expect(await facts()).toEqual(['next'])
  })
})
