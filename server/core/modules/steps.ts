import { join } from 'node:path'
import type { HookCtx, ModuleDefinition } from '@svc/kit'
import satisfies from 'semver/functions/satisfies.js'
import type { Sql, TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record-audit.ts'
import { createCtx } from './context.ts'
import type { BootLock, StepTx } from '../db/lock.ts'
import { headOf, migrateTo, rehearseBase, tablesOf } from '../db/migrate.ts'
import { endDeliveries, listWaiting } from '../events/end-deliveries.ts'
import type { Host } from '../host.ts'
import { readCore, readTables } from './backup/backup-data.ts'
import { writeBackup, type BackupNote } from './backup/backup.ts'
import { findChanged } from './backup/find-changed.ts'
import type { Discovered } from './discover.ts'
import { digestFresh, hasOwnRows } from './backup/fresh-rows.ts'
import { applySeed, keyOf } from './seed.ts'
import type { Operation, StepName } from './states.ts'
import {
  findOnce,
  HOOKS_SKIPPED,
  keepOnce,
  markInstalled,
  markUninstalled,
  startOf,
  type ModuleRow,
  type Pending
} from './store.ts'

/** One operation on one module, as its steps receive it. */
export interface OperationInput {
  host: Host
  lock: BootLock
  operation: Operation
  pending: Pending
  row: ModuleRow
  module: Discovered
  /** All other modules that are not uninstalled, to decide who owns a table. */
  others: Discovered[]
  /** Imports the module's code. Only steps that run it call this. */
  definition: () => Promise<ModuleDefinition>
  /** Makes the running dependencies available to a hook. */
  enter: () => Promise<void>
  signal: AbortSignal
}

export type Detail = Record<string, unknown> | null
/** Writes the step's row as `completed` or `skipped`, in the transaction of the step's own work. */
export type Complete = (tx: StepTx, detail: Detail, status?: 'completed' | 'skipped') => Promise<void>
type Step = (input: OperationInput, complete: Complete, logId: string) => Promise<void>

/** How each step in states.ts runs. All are safe to run twice. */
export const STEPS: Record<StepName, Step> = {
  migrate, seed, lifecycle, finalize, backup, delete_records: deleteRecords, downgrade
}

// ---------------------------------------------------------------- install and upgrade

async function migrate(input: OperationInput, complete: Complete): Promise<void> {
  const { lock, module, row } = input
  refuseForeignHost(input)
  refuseClaimedTables(input)
  const folder = migrationsOf(module)
  // An install starts clean: instances that still ran the module may have added deliveries after its uninstall.
  const finish = async (tx: StepTx) => {
    if (input.operation === 'install') await endDeliveries(tx.sql, row.name)
    await complete(tx, folder ? { revision: headOf(folder) } : null)
  }
  if (!folder) return lock.step(finish)
  await migrateTo(lock, { module: row.name, folder, target: 'head', finish })
}

function refuseForeignHost({ module, host }: OperationInput): void {
  const range = module.manifest!.core
  if (!satisfies(host.version, range, { includePrerelease: true })) {
    throw new Error(`needs version ${range} of this service, which is ${host.version}`)
  }
}

/** Only its name shows who owns a table, so that two modules with one name would destroy each other's data. */
function refuseClaimedTables(input: OperationInput): void {
  const [claimed] = belongingToOthers(input, tablesOfModule(input.module))
  if (claimed) throw new Error(`claims the table ${claimed.tables.join(', ')}, which belongs to ${claimed.owner}`)
}

function belongingToOthers(
  { others, host }: OperationInput,
  names: string[]
): { owner: string, tables: string[] }[] {
  const owners = others.map(other => ({ owner: other.name, tables: tablesOfModule(other) }))
  owners.push({ owner: 'the service itself', tables: tablesOf(join(host.config.root, 'drizzle')) })
  return owners
    .map(({ owner, tables }) => ({ owner, tables: tables.filter(table => names.includes(table)) }))
    .filter(({ tables }) => tables.length > 0)
}

async function seed(input: OperationInput, complete: Complete): Promise<void> {
  const { lock, module, operation } = input
  const { name, depends, seed: files } = module.manifest!
  const tables = tablesOfModule(module)
  await lock.step(async (tx) => {
    const kind = operation === 'upgrade' ? 'upgrade' : 'install'
    await complete(
      tx,
      await applySeed(tx.sql, { module: name, depends, folder: module.folder, files, tables, operation: kind })
    )
  })
}

async function lifecycle(input: OperationInput, complete: Complete, logId: string): Promise<void> {
  const { lock, operation, row } = input
  const { definition, reason } = await loadForStep(input)
  if (!definition) return lock.step(tx => complete(tx, { ...HOOKS_SKIPPED, reason }, 'skipped'))
  const { hooks = {} } = definition
  const hook = { install: hooks.install, upgrade: hooks.post_upgrade, uninstall: hooks.uninstall }[operation]
  if (hook) await input.enter()
  await lock.step(async (tx) => {
    const ctx = createHookCtx(input, tx, logId)
    if (operation === 'upgrade') await hooks.post_upgrade?.(ctx, row.version ?? '')
    if (operation === 'uninstall') await hooks.uninstall?.(ctx)
    const fresh
      = operation === 'install' && hooks.install ? await runInstall(input, tx, () => hooks.install!(ctx)) : null
    await complete(tx, hook ? fresh && { fresh } : { hook: 'none' })
  })
}

/**
 * A forced uninstall continues if the module's code can't be loaded: then `definition` is null, and `reason` has the
 * cause. Throws in every other operation.
 */
export async function loadForStep({
  definition,
  operation,
  pending,
  row
}: OperationInput): Promise<
  { definition: ModuleDefinition, reason?: undefined } | { definition: null, reason: string }
> {
  try {
    return { definition: await definition() }
  } catch (error) {
    if (operation !== 'uninstall') throw error
    const reason = `its code cannot be loaded: ${error instanceof Error ? error.message : String(error)}`
    if (pending.force) return { definition: null, reason }
    throw new Error(`${reason} (svc modules uninstall ${row.name} --force removes it without its code)`, {
      cause: error
    })
  }
}

/** Rows that the hook writes into empty tables are part of a fresh install, and a restore may replace them. */
async function runInstall(
  { module, row }: OperationInput,
  { sql }: StepTx,
  install: () => Promise<void>
): Promise<Record<string, string> | null> {
  const names = tablesOfModule(module)
  const core = await readCore(sql)
  const isAdopted = await hasOwnRows(sql, row.name, await readTables(sql, names), core)
  await install()
  return isAdopted ? null : digestFresh(sql, row.name, await readTables(sql, names), core)
}

async function finalize(input: OperationInput, complete: Complete): Promise<void> {
  const { lock, host, operation, row, module } = input
  await lock.step(async (tx) => {
    const detail = operation === 'uninstall' ? await remove(input, tx) : { version: module.version }
    if (operation !== 'uninstall')
      await markInstalled(tx.sql, row.name, { version: module.version, manifest: module.manifest! })
    await complete(tx, detail)
    await recordAudit(host, tx.db, {
      clinic_id: null,
      actor: { type: 'system', id: null, name: 'start' },
      action: 'module_operation',
      target: { kind: 'module', id: row.name },
      detail: { operation, status: 'completed', version: operation === 'uninstall' ? null : module.version }
    })
  })
}

/** Deletes the events and jobs that still wait for the module, because nothing would ever process them. */
async function remove({ host, row, pending }: OperationInput, { sql }: StepTx): Promise<Detail> {
  if (!pending.keep_data) {
    await sql`delete from core_external_id where module_name = ${row.name}`
    await sql`delete from core_module_setting where module = ${row.name}`
  }
  await markUninstalled(sql, row.name)
  const ended = await endDeliveries(sql, row.name)
  if (ended.length === 0) return null
  host.log.warn('deliveries.ended', { module: row.name, ended })
  return { ended_deliveries: ended }
}

/** `db` and `sql` use the step's transaction; `once` works outside it. */
export function createHookCtx(
  { host, module, row, operation, pending, signal, definition }: OperationInput,
  tx: StepTx,
  logId: string | null
): HookCtx {
  const { depends = [], grants = [], outgoing = [] } = module.manifest ?? row.manifest ?? {}
  const self = { name: row.name, depends, grants, outgoing, definition }
  const ctx = createCtx(host, self, { db: tx.db, sql: tx.sql as unknown as Sql })

  async function once<T>(key: string, fn: () => Promise<T>): Promise<T> {
    const pool = host.database.sql
    const kept = await findOnce(pool, pending.operation_id, key)
    if (kept) return kept.value as T
    const value = await fn()
    if (logId) await keepOnce(pool, logId, key, value)
    return value
  }

  return { ...ctx, from_version: operation === 'install' ? null : row.version, signal, once }
}

// ---------------------------------------------------------------- uninstall

/**
 * Writes a file, before the step's row is written. If the step is killed in between, it writes the same file again. The
 * dry run finds what would stop the uninstall half-way, while nothing is lost yet.
 */
async function backup(input: OperationInput, complete: Complete, logId: string): Promise<void> {
  const { lock, host, module, row, pending } = input
  const folder = migrationsOf(module)
  if (!folder && !(await lock.step(({ sql }) => hasSettings(sql, row.name)))) return lock.step(tx => complete(tx, null))
  const going = folder ? await rehearseBase(lock, { module: row.name, folder }) : { tables: [], sequences: [] }
  const [foreign] = belongingToOthers(input, going.tables)
  if (foreign) throw new Error(`the removal would drop ${foreign.tables.join(', ')}, which belongs to ${foreign.owner}`)
  const { at, deliveries } = await lock.step(async ({ sql }) => ({
    at: await startOf(sql, logId),
    deliveries: await listWaiting(sql, row.name)
  }))
  const subject = { name: row.name, version: row.version, revision: row.applied_revision, ...going }
  const { file, sha256, rows, snapshot } = await writeBackup({
    database: host.database,
    config: host.config,
    subject,
    operation_id: pending.operation_id,
    deliveries,
    at
  })
  await lock.step(async (tx) => {
    await refuseChangedRows(tx, { rows, snapshot })
    await complete(tx, { file, sha256, rows })
  })
}

async function hasSettings(sql: TransactionSql, module: string): Promise<boolean> {
  const [row] = await sql`select 1 from core_module_setting where module = ${module} limit 1`
  return row !== undefined
}

/** Another instance may run the module until its own restart, and its later changes would be in no backup. */
async function refuseChangedRows({ sql }: StepTx, backup: Pick<BackupNote, 'rows' | 'snapshot'>): Promise<void> {
  const changed = await findChanged(sql, backup)
  if (changed) throw new Error(`${changed}: it changed in the meantime, so nothing was removed`)
}

/** Deletes the newest first. Records that other rows of the module still reference are dropped with the tables. */
async function deleteRecords({ lock, row }: OperationInput, complete: Complete): Promise<void> {
  await lock.step(async (tx) => {
    // Finds a violated reference at its record, not at the commit.
    await tx.sql`set constraints all immediate`
    const records = await tx.sql<{ table_name: string, record_id: string, present: boolean }[]>`
      select table_name, record_id, to_regclass(quote_ident(table_name)) is not null as present
      from core_external_id where module_name = ${row.name} order by created_at desc, ctid desc`
    const kept: string[] = []
    for (const { table_name, record_id } of records.filter(record => record.present)) {
      const isGone = await deleteRecord(tx, table_name, record_id)
      if (!isGone) kept.push(`${table_name}/${record_id}`)
    }
    await complete(tx, { deleted: records.length - kept.length, ...(kept.length > 0 ? { kept } : {}) })
  })
}

async function deleteRecord({ sql }: StepTx, table: string, id: string): Promise<boolean> {
  const key = await keyOf(sql, table)
  try {
    await sql.savepoint(inner => inner`delete from ${inner(table)} where ${inner(key)}::text = ${id}`)
    return true
  } catch (error) {
    // Codes of a foreign key, including ON DELETE RESTRICT (PostgreSQL 18 has a separate code), and of a trigger that
    // guards the row with RAISE's default code.
    const STAYS = ['23503', '23001', 'P0001']
    if (!STAYS.includes((error as { code?: string }).code ?? '')) throw error
    return false
  }
}

async function downgrade({ lock, module, row }: OperationInput, complete: Complete): Promise<void> {
  const folder = migrationsOf(module)
  if (!folder) return lock.step(tx => complete(tx, null))
  await migrateTo(lock, { module: row.name, folder, target: 'base', finish: tx => complete(tx, { revision: null }) })
}

// ---------------------------------------------------------------- what a module owns

/** The absolute folder of a module's migrations; null if it has none. */
export function migrationsOf({ folder, manifest }: Discovered): string | null {
  return manifest?.migrations ? join(folder, manifest.migrations) : null
}

function tablesOfModule(module: Discovered): string[] {
  const folder = migrationsOf(module)
  return folder ? tablesOf(folder) : []
}
