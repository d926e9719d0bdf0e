import { sql, type SQL } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from './rows.ts'

/** What every process listens to (`events/listen.ts`). */
export const CHANNEL = 'svc_work'

/**
 * Of a statement that may do more. The server refuses longer notices, and with them the whole transaction; an empty one
 * says: look at everything.
 */
export const notify = (text: SQL): SQL =>
  sql`pg_notify(${CHANNEL}, case when octet_length(${text}) < 8000 then ${text} else '' end)`

/** Tells every process, once this commits. A notice is a hint: what is missed, the next look finds. */
export async function tell(tx: AnyTx, notices: object[]): Promise<void> {
  if (notices.length === 0) return
  await rowsOf(tx, sql`
    select count(${notify(sql`value::text`)}::text) from jsonb_array_elements(${JSON.stringify(notices)}::text::jsonb) as notice (value)`)
}
