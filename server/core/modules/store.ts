import { randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import type { Json } from '@svc/kit'
import type { Manifest } from '../manifest.ts'
import type { ModuleState, Operation, StepName, StepStatus } from './states.ts'

/**
 * Rows of `core_module` and its operation log. Uses only postgres.js, so that the command line need not import drizzle.
 * JSON is passed as text, so that it also works with a client that drizzle has wrapped.
 */
export type Query = Sql | TransactionSql

/** The pending operation: its id in the log, and its options. */
export interface Pending {
  operation_id: string
  force?: boolean
  keep_data?: boolean
  /** The unfinished operation that an uninstall has replaced. Cancelling the uninstall makes it pending again. */
  instead_of?: { state: 'to_install' | 'to_upgrade', operation_id: string }
}

export interface ModuleRow {
  name: string
  state: ModuleState
  /** Of the last completed operation. */
  version: string | null
  category: string
  applied_revision: string | null
  error_message: string | null
  /** The manifest as installed. */
  manifest: Manifest | null
  pending: Pending | null
}

export interface StepRow { id: string, step: StepName, status: StepStatus, attempt: number }
interface StepKey { module_name: string, operation: Operation, operation_id: string, step: StepName }

const json = (value: unknown) => value === undefined || value === null ? null : JSON.stringify(value)

// ---------------------------------------------------------------- core_module

export async function readModules(sql: Query): Promise<ModuleRow[]> {
  return sql<ModuleRow[]>`
    select name, state, version, category, applied_revision, error_message, manifest, pending from core_module order by name`
}

/** Adds a module that is new to the database, scheduled for installation. */
export async function insertModule(sql: Query, { name, category }: { name: string, category: string }): Promise<void> {
  const pending: Pending = { operation_id: randomUUID() }
  await sql`
    insert into core_module (name, state, category, pending) values (${name}, 'to_install', ${category}, ${json(pending)}::text::jsonb)
    on conflict (name) do nothing`
}

/** Gives a pending row without an operation id a new one. */
export async function ensurePending(sql: Query, row: ModuleRow): Promise<Pending> {
  if (row.pending?.operation_id) return row.pending
  const pending: Pending = { ...row.pending, operation_id: randomUUID() }
  await sql`update core_module set pending = ${json(pending)}::text::jsonb where name = ${row.name}`
  return pending
}

export async function recordError(sql: Query, name: string, message: string): Promise<void> {
  await sql`update core_module set error_message = ${message}, error_at = now() where name = ${name}`
}

export async function clearError(sql: Query, name: string): Promise<void> {
  await sql`update core_module set error_message = null, error_at = null where name = ${name}`
}

/** Ends an install or upgrade. Only now do version and manifest become those on the disk. */
export async function markInstalled(
  sql: Query,
  name: string,
  { version, manifest }: { version: string, manifest: Manifest }
): Promise<void> {
  await sql`
    update core_module set state = 'installed', version = ${version}, category = ${manifest.category}, manifest = ${json(manifest)}::text::jsonb,
      installed_at = case when state = 'to_upgrade' then coalesce(installed_at, now()) else now() end,
      pending = null, error_message = null, error_at = null, last_state_change = now()
    where name = ${name}`
}

/** `applied_revision` stays, so that after `--keep-data` a later install can adopt the tables. */
export async function markUninstalled(sql: Query, name: string): Promise<void> {
  await sql`
    update core_module set state = 'uninstalled', version = null, installed_at = null, manifest = null,
      pending = null, error_message = null, error_at = null, last_state_change = now()
    where name = ${name}`
}

/** The state of the row if its uninstall does not take place. */
export function beforeRemoval(removal: Pending | null): { state: ModuleState, pending: Pending | null } {
  const { state, operation_id } = removal?.instead_of ?? {}
  return state && operation_id ? { state, pending: { operation_id } } : { state: 'installed', pending: null }
}

/** Records an uninstall that the module itself refused. */
export async function returnFromRemoval(sql: Query, name: string, removal: Pending, reason: string): Promise<void> {
  const { state, pending } = beforeRemoval(removal)
  await sql`
    update core_module set state = ${state}, pending = ${json(pending)}::text::jsonb, error_message = ${reason}, error_at = now(), last_state_change = now()
    where name = ${name}`
}

// ---------------------------------------------------------------- core_module_operation_log

/**
 * In the `detail` of a skipped step: the following steps have run without the module's code, so it must not run later.
 */
export const HOOKS_SKIPPED = { hook: 'skipped' }

/** Steps of the operation that need not run again. */
export async function completedSteps(sql: Query, operation_id: string): Promise<Set<StepName>> {
  const rows = await sql<{ step: StepName }[]>`
    select step from core_module_operation_log
    where operation_id = ${operation_id} and (status = 'completed' or (status = 'skipped' and detail->>'hook' = ${HOOKS_SKIPPED.hook}))`
  return new Set(rows.map(row => row.step))
}

/** The name of the backup file; null for a module without tables. */
export async function findBackupOf(sql: Query, operation_id: string): Promise<string | null> {
  const [row] = await sql<{ file: string | null }[]>`
    select detail->>'file' as file from core_module_operation_log
    where operation_id = ${operation_id} and step = 'backup' and status = 'completed' order by id desc limit 1`
  return row?.file ?? null
}

/**
 * Adds the row of a step that is about to run. A row that a crash left open, or that was skipped, is reused, so that
 * the log of an interrupted run equals that of an uninterrupted one. A failed row is kept as history.
 */
export async function beginStep(sql: Query, { module_name, operation, operation_id, step }: StepKey): Promise<StepRow> {
  const [last] = await sql<StepRow[]>`
    select id, step, status, attempt from core_module_operation_log
    where operation_id = ${operation_id} and step = ${step} order by id desc limit 1`
  const attempt = (last?.attempt ?? 0) + 1
  const [row]
    = last && (last.status === 'started' || last.status === 'skipped')
      ? await sql<StepRow[]>`
        update core_module_operation_log set status = 'started', attempt = ${attempt}, finished_at = null
        where id = ${last.id} returning id, step, status, attempt`
      : await sql<StepRow[]>`
        insert into core_module_operation_log (module_name, operation, step, status, operation_id, attempt)
        values (${module_name}, ${operation}, ${step}, 'started', ${operation_id}, ${attempt}) returning id, step, status, attempt`
  return row!
}

/** When the row was created, to the second. Later attempts that reuse the row keep it. */
export async function startOf(sql: Query, id: string): Promise<Date> {
  const [row] = await sql<
    { at: number }[]
  >`select floor(extract(epoch from created_at))::float8 as at from core_module_operation_log where id = ${id}`
  return new Date(row!.at * 1000)
}

/** Keeps what `once` has stored in `detail`. */
export async function finishStep(
  sql: Query,
  id: string,
  status: Exclude<StepStatus, 'started'>,
  detail: Record<string, unknown> | null
): Promise<void> {
  await sql`
    update core_module_operation_log
    set status = ${status}, finished_at = clock_timestamp(), detail = nullif(coalesce(detail, '{}') || coalesce(${json(detail)}::text::jsonb, '{}'), '{}')
    where id = ${id}`
}

/** The result of a hook's work outside the database, from any attempt of this operation. */
export async function findOnce(sql: Query, operation_id: string, key: string): Promise<{ value: Json } | null> {
  const [row] = await sql<{ value: Json }[]>`
    select detail->'once'->${key}::text as value from core_module_operation_log
    where operation_id = ${operation_id} and detail->'once' ? ${key} order by id desc limit 1`
  return row ?? null
}

/** Outside the step's transaction, because a rollback does not undo work outside the database. */
export async function keepOnce(sql: Query, id: string, key: string, value: unknown): Promise<void> {
  await sql`
    update core_module_operation_log
    set detail = coalesce(detail, '{}') || jsonb_build_object('once', coalesce(detail->'once', '{}') || jsonb_build_object(${key}::text, ${JSON.stringify(value ?? null)}::text::jsonb))
    where id = ${id}`
}
