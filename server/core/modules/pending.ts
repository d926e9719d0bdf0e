import type { TransactionSql } from 'postgres'
import type { ModuleState } from './states.ts'
import type { Pending } from './store.ts'

/** The change that a command makes to a row. */
export interface Change {
  name: string
  state: ModuleState
  pending: Pending | null
  /** Only for a new row. */ category?: string
}

/**
 * Version, manifest and revision stay as they are: they change when an operation completes. A new operation clears an
 * old error.
 */
export async function changeRow(
  sql: TransactionSql,
  { name, state, pending, category = 'community' }: Change
): Promise<void> {
  const text = pending === null ? null : JSON.stringify(pending)
  await sql`
    insert into core_module (name, state, category, pending) values (${name}, ${state}, ${category}, ${text}::text::jsonb)
    on conflict (name) do update set state = excluded.state, pending = excluded.pending, last_state_change = now(),
      error_message = null, error_at = null,
      version = case when excluded.state = 'uninstalled' then null else core_module.version end,
      manifest = case when excluded.state = 'uninstalled' then null else core_module.manifest end,
      installed_at = case when excluded.state = 'uninstalled' then null else core_module.installed_at end`
}

/** Modules whose pending operation has completed a step. Such an operation can't be cancelled. */
export async function operationsBegun(sql: TransactionSql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select name from core_module where exists (
      select from core_module_operation_log
      where operation_id::text = core_module.pending->>'operation_id' and module_name = name and status = 'completed')`
  return new Set(rows.map(({ name }) => name))
}

/** Every table that could belong to a module. */
export async function namesOfTables(sql: TransactionSql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`
  return new Set(rows.map(({ name }) => name))
}

/** The number of rows in each table; null for a table that does not exist. */
export async function countRows(
  sql: TransactionSql,
  names: string[],
  existing: ReadonlySet<string>
): Promise<{ name: string, rows: number | null }[]> {
  const counted: { name: string, rows: number | null }[] = []
  for (const name of names) {
    const [row] = existing.has(name)
      ? await sql<{ rows: string }[]>`select count(*)::text as rows from ${sql(name)}`
      : []
    counted.push({ name, rows: row ? Number(row.rows) : null })
  }
  return counted
}
