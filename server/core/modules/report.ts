import type { Sql } from 'postgres'
import type { Config } from '../config.ts'
import { discover, type Discovered } from './discover.ts'
import type { Manifest } from '../manifest.ts'
import { operationOf, type ModuleState } from './states.ts'

/**
 * Describes modules without running any: rows and disk side by side, for both the command line and `/api/v1/modules`.
 * Works with a broken manifest and with a missing dependency. Uses only postgres.js, with instants as text, so that
 * every client gives the same result.
 */
export interface ModuleItem {
  name: string
  /** Of the last completed operation. */
  version: string | null
  disk_version: string | null
  state: ModuleState
  category: string
  removable: boolean
  auto_install: boolean
  installed_at: string | null
  last_state_change: string | null
  applied_revision: string | null
  error_message: string | null
  error_at: string | null
  summary: string | null
  depends: string[]
  in_disk: boolean
}

export interface OperationItem {
  id: string
  module_name: string
  operation: string
  step: string
  status: string
  operation_id: string
  attempt: number
  detail: unknown
  created_at: string
  finished_at: string | null
}

export interface ModuleStatus {
  by_state: Record<ModuleState, number>
  pending: string[]
  errored: string[]
  total: number
}

interface Row extends Pick<
  ModuleItem,
  | 'name'
  | 'version'
  | 'state'
  | 'category'
  | 'installed_at'
  | 'last_state_change'
  | 'applied_revision'
  | 'error_message'
  | 'error_at'
> {
  manifest: Manifest | null
}

/** Sorted by name. Includes rows whose code is missing, and code that has no row yet. */
export async function listModules(sql: Sql, config: Pick<Config, 'root' | 'storage'>): Promise<ModuleItem[]> {
  const rows = new Map((await readRows(sql)).map(row => [row.name, row]))
  const onDisk = new Map((await discover(config)).map(module => [module.name, module]))
  const names = [...new Set([...rows.keys(), ...onDisk.keys()])].sort()
  return names.map(name => toItem(name, rows.get(name), onDisk.get(name)))
}

/**
 * Null for a name that is neither in the database nor on the disk. `operations`: the last ten log rows, newest first.
 */
export async function describeModule(
  sql: Sql,
  config: Pick<Config, 'root' | 'storage'>,
  name: string
): Promise<(ModuleItem & { operations: OperationItem[] }) | null> {
  const item = (await listModules(sql, config)).find(module => module.name === name)
  return item ? { ...item, operations: await listOperations(sql, { module: name, limit: 10 }) } : null
}

export function countModules(items: ModuleItem[]): ModuleStatus {
  const by_state: ModuleStatus['by_state'] = {
    installed: 0,
    uninstalled: 0,
    to_install: 0,
    to_upgrade: 0,
    to_remove: 0
  }
  for (const { state } of items) by_state[state]++
  return {
    by_state,
    pending: items.filter(({ state }) => operationOf(state) !== null).map(({ name }) => name),
    errored: items.filter(({ error_message }) => error_message !== null).map(({ name }) => name),
    total: items.length
  }
}

/** Newest first. */
export async function listOperations(
  sql: Sql,
  { module, limit }: { module?: string, limit: number }
): Promise<OperationItem[]> {
  const rows = await sql<(Omit<OperationItem, 'detail'> & { detail: string | null })[]>`
    select id::text, module_name, operation, step, status, operation_id::text, attempt, detail::text,
           to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
           to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as finished_at
    from core_module_operation_log where ${module ?? null}::text is null or module_name = ${module ?? null}::text
    order by core_module_operation_log.id desc limit ${limit}::int`
  return rows.map(row => ({ ...row, detail: row.detail === null ? null : JSON.parse(row.detail) }))
}

async function readRows(sql: Sql): Promise<Row[]> {
  const rows = await sql<(Omit<Row, 'manifest'> & { manifest: string | null })[]>`
    select name, version, state, category, applied_revision, error_message, manifest::text,
           to_char(installed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as installed_at,
           to_char(last_state_change at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_state_change,
           to_char(error_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as error_at
    from core_module`
  return rows.map(row => ({ ...row, manifest: row.manifest === null ? null : JSON.parse(row.manifest) as Manifest }))
}

/** The manifest on disk; if there is none, the manifest as installed. */
function toItem(name: string, row: Row | undefined, disk: Discovered | undefined): ModuleItem {
  const manifest = disk?.manifest ?? row?.manifest ?? null
  const category = disk?.manifest?.category ?? row?.category ?? (disk?.bundled ? 'official' : 'community')
  return {
    name,
    version: row?.version ?? null,
    disk_version: disk?.version || null,
    state: row?.state ?? 'uninstalled',
    category,
    removable: manifest?.removable ?? category !== 'official',
    auto_install: manifest?.auto_install ?? category === 'official',
    installed_at: row?.installed_at ?? null,
    last_state_change: row?.last_state_change ?? null,
    applied_revision: row?.applied_revision ?? null,
    error_message: row?.error_message ?? null,
    error_at: row?.error_at ?? null,
    summary: disk?.summary || null,
    depends: manifest?.depends ?? [],
    in_disk: disk !== undefined
  }
}
