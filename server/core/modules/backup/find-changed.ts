import type { TransactionSql } from 'postgres'
import type { BackupNote } from './backup.ts'

/**
 * The first difference between the tables and their backup, as a sentence without its full stop; null if there is none.
 * Another instance may run the module until its own restart. Backups of earlier releases have no snapshot, so that only
 * their numbers of rows are compared.
 */
export async function findChanged(
  sql: TransactionSql,
  { rows, snapshot }: Pick<BackupNote, 'rows' | 'snapshot'>
): Promise<string | null> {
  for (const [table, written] of Object.entries(rows)) {
    // A row stores 32 bits of its transaction's number. The full number is the latest one with these bits that is not
    // greater than the next transaction's.
    const [found] = await sql<{ n: string, late: boolean | null }[]>`
      select count(*)::text as n, bool_or(xmin::text::bigint >= 3 and not pg_visible_in_snapshot(
        greatest(3, next.id - (next.id - xmin::text::bigint + 4294967296) % 4294967296)::text::xid8,
        ${snapshot}::text::pg_snapshot)) as late
      from ${sql(table)}, (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as id) next`
    if (Number(found!.n) !== written) return `${table} has ${found!.n} rows, its backup ${written}`
    if (found!.late) return `rows of ${table} are newer than its backup`
  }
  return null
}
