import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../db/client.ts'
import { openJobPool } from './job-pool.ts'

/**
 * Creates the job library's own tables, during the boot and inside its lock. A comment on their schema names the
 * version that created them, so that a start with the same version need not load the library.
 */
export async function migrateJobTables({ sql, pg }: Database, root: string): Promise<void> {
  const maker = `graphile-worker ${libraryVersion(root)}`
  const [schema] = await sql<
    { made_by: string | null }[]
  >`select obj_description(to_regnamespace('graphile_worker'), 'pg_namespace') as made_by`
  if (schema!.made_by === maker) return
  const { Logger, runMigrations } = await import('graphile-worker')
  const { pool } = await openJobPool(pg, 1, () => {}) // a broken connection already fails the statement that uses it
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
  await sql.unsafe(`comment on schema graphile_worker is '${maker}'`) // DDL takes no parameters
}

/** An exact version, like all versions in package.json. */
function libraryVersion(root: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies['graphile-worker']!
}
