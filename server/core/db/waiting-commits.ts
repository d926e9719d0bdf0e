import type { Sql } from 'postgres'

export interface WaitingCommits { count: number, /** How long the oldest one has waited. */ seconds: number }

const LONG_SECONDS = 3

/** Uses a connection of its own, because each of the others may be waiting for a commit. */
export const createCommitsWait = (sql: Sql) => (): Promise<boolean> =>
  findWaitingCommits(sql).then(({ seconds }) => seconds > LONG_SECONDS, () => false)

/** Commits of this database's role that wait for a synchronous standby. */
export async function findWaitingCommits(sql: Sql): Promise<WaitingCommits> {
  const [row] = await sql<WaitingCommits[]>`
    select count(*)::int as count,
           coalesce(extract(epoch from clock_timestamp() - min(query_start)), 0)::float8 as seconds
    from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`
  return row!
}
