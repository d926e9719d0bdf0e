import { sql } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from './db/rows.ts'

/** The database's clock is the only one that decides: instances and patients have others. */
export const clock = {
  /** Inside a transaction the instant it began, to the millisecond. */
  async now(tx: AnyTx): Promise<Date> {
    const [row] = await rowsOf<{ ms: number }>(tx, sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`)
    return new Date(row!.ms)
  }
}
