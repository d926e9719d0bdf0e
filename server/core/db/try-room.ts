import type { Sql } from 'postgres'

/**
 * Throws where the database has no room to write: rows that do not fit into memory go to a file beside the tables,
 * without touching one of these. A small UPDATE would often find room in a page. A megabyte, a few milliseconds.
 */
export async function tryRoom(sql: Sql): Promise<void> {
  await sql.begin('read only', async (tx) => {
    await tx`select set_config('work_mem', '64kB', true)`
    await tx`select count(*) from generate_series(1, 40000)`
  })
}
