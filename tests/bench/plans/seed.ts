import type postgres from 'postgres'
import { billingSteps } from './seed-billing.ts'
import { budgetSteps } from './seed-budgets.ts'
import { clinicSteps } from './seed-clinics.ts'
import { eventSteps } from './seed-events.ts'

/** One set-based statement, which is printed before it runs. */
export interface Step { what: string, run (sql: postgres.TransactionSql): PromiseLike<unknown> }
export interface Size { budgets: number, clinics: number }

/**
 * A service after some years: a few hundred clinics of different sizes, the first of which has a fifth of all budgets.
 * Every row would pass the triggers and foreign keys. They are disabled during the writes, as in a restore, and the
 * indexes are created after the rows.
 */
export async function seed(sql: postgres.Sql, size: Size, say: (line: string) => void): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local maintenance_work_mem = '512MB'`
    await tx`set local work_mem = '64MB'`
    await tx`create temporary table share (clinic_id uuid primary key, rank int not null, budgets int not null, patients int not null)`
    const indexes = await dropIndexes(tx)
    for (const { what, run } of [...clinicSteps(size), ...budgetSteps, ...billingSteps, ...eventSteps])
      await timed(what, say, () => run(tx))
    await timed(`${indexes.length} indexes`, say, async () => {
      for (const indexdef of indexes) await tx.unsafe(indexdef)
    })
    await tx`drop table share`
  })
  await timed('vacuum analyze', say, () => sql`vacuum analyze`)
}

/** The indexes that enforce no rule. Unique ones remain. Returns the statements that create them again. */
async function dropIndexes(sql: postgres.TransactionSql): Promise<string[]> {
  const indexes = await sql<{ name: string, indexdef: string }[]>`
    select relname as name, pg_get_indexdef(indexrelid) as indexdef from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisunique and relnamespace = 'public'::regnamespace order by relname`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  return indexes.map(({ indexdef }) => indexdef)
}

async function timed(what: string, say: (line: string) => void, run: () => PromiseLike<unknown>): Promise<void> {
  const start = performance.now()
  await run()
  say(`  ${what}: ${Math.round((performance.now() - start) / 100) / 10} s`)
}
