import { sql } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from './rows.ts'

/** Longer than any transaction of a request or a command leaves its connection idle. */
const ABANDONED_AFTER_SECONDS = 120

/**
 * A process that vanished without a word, machine or network with it, leaves its transactions open and their rows
 * locked until TCP gives up, which takes the server hours. Ended are those of requests; a delivery's ends after half an
 * hour, and a boot's, which may migrate for long, with its connection.
 */
export async function endAbandonedTransactions(tx: AnyTx, seconds = ABANDONED_AFTER_SECONDS): Promise<void> {
  await rowsOf(tx, sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = 'svc:server'
      and state like 'idle in transaction%' and state_change < clock_timestamp() - ${seconds}::float8 * interval '1 second'`)
}
