import { sql, type SQL } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from './db/rows.ts'

/** The database's clock is the only one that decides: instances and patients have others. To the millisecond. */
export const clock = {
  /** Inside a transaction the instant it began. */
  now: (tx: AnyTx): Promise<Date> => ask(tx, sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`),
  /** What a clock on its wall shows, also in a transaction that waited for a lock. */
  wall: (tx: AnyTx): Promise<Date> =>
    ask(tx, sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
}

async function ask(tx: AnyTx, query: SQL): Promise<Date> {
  const [row] = await rowsOf<{ ms: number }>(tx, query)
  return new Date(row!.ms)
}
