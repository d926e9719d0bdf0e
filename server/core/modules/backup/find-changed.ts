import type { TransactionSql } from 'postgres'
import type { BackupNote } from './backup.ts'
import { literal } from './fresh-rows.ts'

/** 32 bits of a transaction's number are in a row: the whole number is the latest such one up to the next. */
const WHOLE_XMIN = 'greatest(3, next.id - (next.id - xmin::text::bigint + 4294967296) % 4294967296)::text::xid8'

/**
 * What is not in the backup any more as the tables have it: another instance may run the module until its own restart.
 * Null: nothing. A backup of an earlier release names no snapshot, and only its numbers of rows are compared.
 */
export async function findChanged(
  sql: TransactionSql,
  { rows, snapshot }: Pick<BackupNote, 'rows' | 'snapshot'>
): Promise<string | null> {
  const isLate = snapshot === null
    ? 'false'
    : `xmin::text::bigint >= 3 and not pg_visible_in_snapshot(${WHOLE_XMIN}, ${literal(snapshot)}::pg_snapshot)`
  for (const [table, written] of Object.entries(rows)) {
    const [found] = await sql<{ n: string, late: boolean | null }[]>`
      select count(*)::text as n, bool_or(${sql.unsafe(isLate)}) as late
      from ${sql(table)}, (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as id) next`
    if (Number(found!.n) !== written) return `${table} has ${found!.n} rows, its backup ${written}`
    if (found!.late) return `rows of ${table} are newer than its backup`
  }
  return null
}
