import { sql, type SQL } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from './db/rows.ts'

/** Only the database's clock decides, because instances and patients have different ones. To the millisecond. */
export const clock = {
  /** Inside a transaction, the instant at which it began. */
  now: (tx: AnyTx): Promise<Date> => ask(tx, sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`),
  /** The current time, also in a transaction that has waited for a lock. */
  wall: (tx: AnyTx): Promise<Date> =>
    ask(tx, sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
}

async function ask(tx: AnyTx, query: SQL): Promise<Date> {
  const [row] = await rowsOf<{ ms: number }>(tx, query)
  return new Date(row!.ms)
}
