import { sql } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from './rows.ts'

/** No transaction of a request or command leaves its connection idle for this long. */
const ABANDONED_AFTER_SECONDS = 120

/**
 * If a process vanishes with its machine or network, its transactions stay open and their rows locked until TCP times
 * out, which takes hours on the server. Ends such transactions of requests. The transaction of a delivery ends after
 * half an hour, and that of a boot, which may migrate for long, with its connection.
 */
export async function endAbandonedTransactions(tx: AnyTx, seconds = ABANDONED_AFTER_SECONDS): Promise<void> {
  await rowsOf(tx, sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = 'svc:server'
      and state like 'idle in transaction%' and state_change < clock_timestamp() - ${seconds}::float8 * interval '1 second'`)
}
