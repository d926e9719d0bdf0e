import type { TransactionSql } from 'postgres'

/**
 * The rows of a fresh install: seeded records, which are tracked, and rows that the module's own hook wrote. A backup
 * may replace only these.
 */
export interface FreshTable {
  name: string
  /** Schema and name, quoted. */
  path: string
  /** The single-column key by which seeded records are tracked, quoted; null if there is none. */
  key: string | null
}

/** The text form of a row depends on these settings. */
export const TEXT_SETTINGS = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1'
}

export const literal = (text: string | null) => text === null ? 'NULL' : `'${text.replaceAll('\'', '\'\'')}'`

/** A query for the rows of a table that no seed has made, as `t`. */
function untracked({ name, path, key }: FreshTable, module: string, core: string): string {
  if (key === null) return `FROM ${path} t`
  return `FROM ${path} t WHERE NOT EXISTS (SELECT FROM ${core}.core_external_id e WHERE e.module_name = ${literal(module)} AND e.table_name = ${literal(name)} AND e.record_id = t.${key}::text)`
}

const digest = (rows: string) => `(SELECT md5(string_agg(t::text, E'\\n' ORDER BY t::text)) ${rows})`

/** Lines of PL/pgSQL that refuse a table with any other row. */
export function refusal(table: FreshTable, module: string, core: string): string[] {
  const rows = untracked(table, module, core)
  const ofInstall
    = `(SELECT detail->'fresh'->>${literal(table.name)} FROM ${core}.core_module_operation_log `
      + `WHERE module_name = ${literal(module)} AND operation = 'install' AND step = 'lifecycle' AND status = 'completed' ORDER BY id DESC LIMIT 1)`
  return [
    `  IF EXISTS (SELECT ${rows}) AND ${digest(rows)} IS DISTINCT FROM ${ofInstall} THEN`,
    `    RAISE EXCEPTION 'the table % holds rows other than seeded ones: restore into a freshly installed module', ${literal(table.name)};`,
    '  END IF;'
  ]
}

/** Rows that existed before the hook ran are a clinic's data. Then no row that the hook adds counts as fresh. */
export async function hasOwnRows(
  tx: TransactionSql,
  module: string,
  tables: FreshTable[],
  core: string
): Promise<boolean> {
  for (const table of tables) {
    const [row] = await tx.unsafe<{ found: boolean }[]>(
      `SELECT EXISTS (SELECT ${untracked(table, module, core)}) AS found`
    )
    if (row!.found) return true
  }
  return false
}

/** A digest for each table that the hook wrote into; null if it wrote nothing. */
export async function digestFresh(
  tx: TransactionSql,
  module: string,
  tables: FreshTable[],
  core: string
): Promise<Record<string, string> | null> {
  for (const [name, value] of Object.entries(TEXT_SETTINGS)) await tx`select set_config(${name}, ${value}, true)`
  const digests: Record<string, string> = {}
  for (const table of tables) {
    const [row] = await tx.unsafe<{ digest: string | null }[]>(
      `SELECT ${digest(untracked(table, module, core))} AS digest`
    )
    if (row!.digest !== null) digests[table.name] = row!.digest
  }
  return Object.keys(digests).length > 0 ? digests : null
}
