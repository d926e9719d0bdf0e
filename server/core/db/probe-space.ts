import type { Sql } from 'postgres'

/**
 * Throws if the database has no room for writes. A result set that does not fit into memory is written to a temporary
 * file beside the tables, without touching any of them. A small UPDATE would often find room in an existing page. It
 * writes one megabyte, which takes a few milliseconds.
 */
export async function probeDatabaseSpace(sql: Sql): Promise<void> {
  await sql.begin('read only', async (tx) => {
    await tx`select set_config('work_mem', '64kB', true)`
    await tx`select count(*) from generate_series(1, 40000)`
  })
}
