import type { TransactionSql } from 'postgres'

/**
 * What a fresh install leaves in a module's tables: the seeded records, which are tracked, and what the module's own
 * hook wrote. Only over these may a backup be restored.
 */
export interface FreshTable {
  name: string
  /** Schema and name, quoted. */
  path: string
  /** The single-column key by which seeded records are tracked, quoted; null when there is none. */
  key: string | null
}

/** The text of a row depends on them. */
export const TEXT_SETTINGS = {
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1'
}

export const literal = (text: string | null) => text === null ? 'NULL' : `'${text.replaceAll('\'', '\'\'')}'`

/** Rows of a table that no seed made, as `t`. */
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

/** Rows that were there before the hook are a clinic's data: then nothing that it adds counts as fresh. */
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

/** A digest per table that the hook wrote into; null when it wrote nothing. */
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
