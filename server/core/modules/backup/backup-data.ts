import type { TransactionSql } from 'postgres'
import { literal, refusal, TEXT_SETTINGS, type FreshTable } from './fresh-rows.ts'
import { inDependencyOrder } from '../plan.ts'

/** The subject of a backup: a module as it is in the database. */
export interface BackupSubject {
  name: string
  /** The installed version, not the one on the disk. */
  version: string | null
  revision: string | null
  /** All tables that an uninstall drops. */
  tables: string[]
  sequences: string[]
}

export interface Table extends FreshTable {
  /** Quoted, without generated columns. */
  columns: string[]
  partitioned: boolean
  /** Triggers that are not simply enabled. The end of a restore sets them to this mode again. */
  triggers: { name: string, mode: string }[]
  /** The names of the tables that it references. */
  depends: string[]
}

export type Write = (text: string) => Promise<void>

const BATCH_ROWS = 1000
const TRIGGER_MODES: Record<string, string> = { D: 'DISABLE', R: 'ENABLE REPLICA', A: 'ENABLE ALWAYS' }

/**
 * Writes the data of a module as SQL for `psql -v ON_ERROR_STOP=1` and for `restoreBackup`: one transaction that
 * refuses a module with rows other than seeded ones, and restores everything. `tx` is one snapshot. Returns the rows
 * per table. Throws if the server's count differs.
 */
export async function writeData(
  tx: TransactionSql,
  subject: BackupSubject,
  write: Write
): Promise<Record<string, number>> {
  await setForText(tx)
  const tables = inDependencyOrder(await readTables(tx, subject.tables))
  const core = await readCore(tx)
  const sequences = await readSequences(tx, subject.sequences)

  await write(opening(subject, tables, core))
  const rows: Record<string, number> = {}
  for (const table of tables) rows[table.name] = await copyTable(tx, table, write)
  await copyRecords(tx, subject.name, core, write)
  await copySettings(tx, subject.name, core, write)
  await write(ending(tables, sequences))
  return rows
}

/** Settings of this transaction that make PostgreSQL return all rows, as text that any server reads the same. */
export async function setForText(tx: TransactionSql): Promise<void> {
  for (const [name, value] of Object.entries({ ...TEXT_SETTINGS, row_security: 'off' }))
    await tx`select set_config(${name}, ${value}, true)`
}

// ---------------------------------------------------------------- reading the schema

export async function readTables(tx: TransactionSql, names: string[]): Promise<Table[]> {
  const rows = await tx<(Omit<Table, 'triggers' | 'depends'> & { id: string })[]>`
    select c.oid::text as id, c.relname::text as name, format('%I.%I', n.nspname, c.relname) as path, c.relkind = 'p' as partitioned,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      (select case when count(*) = 1 then min(quote_ident(a.attname)) end
        from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
        where i.indisprimary and i.indrelid = c.oid) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid in (select to_regclass(quote_ident(name)) from unnest(${names}::text[]) as name)
      and c.relkind in ('r', 'p') and not c.relispartition`
  const ids = rows.map(row => row.id)
  const references = await tx<{ id: string, target: string }[]>`
    select distinct k.conrelid::text as id, c.relname::text as target from pg_constraint k join pg_class c on c.oid = k.confrelid
    where k.contype = 'f' and k.conrelid::text = any (${ids}::text[]) and k.confrelid <> k.conrelid`
  const triggers = await tx<{ id: string, name: string, mode: string }[]>`
    select tgrelid::text as id, quote_ident(tgname) as name, tgenabled::text as mode from pg_trigger
    where tgrelid::text = any (${ids}::text[]) and not tgisinternal and tgenabled <> 'O' order by tgname`
  return rows.map(({ id, ...table }) => ({
    ...table,
    triggers: triggers.filter(trigger => trigger.id === id),
    depends: references.filter(reference => reference.id === id).map(reference => reference.target)
  }))
}

/** The schema of the core's own tables. The file names it, so that the reader's search path doesn't matter. */
export async function readCore(tx: TransactionSql): Promise<string> {
  const [row] = await tx<{ schema: string }[]>`
    select quote_ident(n.nspname) as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass('core_external_id')`
  return row!.schema
}

/** PL/pgSQL statements that set each sequence to its current value. */
export async function readSequences(tx: TransactionSql, names: string[]): Promise<string[]> {
  const rows = await tx<{ path: string }[]>`
    select format('%I.%I', n.nspname, s.relname) as path from pg_class s join pg_namespace n on n.oid = s.relnamespace
    where s.relkind = 'S' and s.oid in (select to_regclass(quote_ident(name)) from unnest(${names}::text[]) as name) order by 1`
  return Promise.all(rows.map(async ({ path }) => {
    const [at] = await tx.unsafe<{ last: string, called: boolean }[]>(
      `select last_value::text as last, is_called as called from ${path}`
    )
    return `  PERFORM pg_catalog.setval('${path.replaceAll('\'', '\'\'')}', ${at!.last}, ${at!.called});\n`
  }))
}

// ---------------------------------------------------------------- text of the file

/** The beginning of the transaction that reads the rows. */
export const SETTINGS = [
  'BEGIN;',
  'SET LOCAL client_encoding = \'UTF8\';',
  'SET LOCAL standard_conforming_strings = on;',
  'SET LOCAL client_min_messages = warning;',
  'SET LOCAL statement_timeout = 0;',
  ...Object.entries(TEXT_SETTINGS).map(([name, value]) => `SET LOCAL ${name} = ${literal(value)};`),
  'SET LOCAL row_security = off;',
  'SET CONSTRAINTS ALL DEFERRED;'
]

/** Triggers are disabled before rows are deleted: a table with pending deferred checks can't be altered. */
export const emptying = (tables: Table[]): string[] => [
  ...tables.map(({ path }) => `ALTER TABLE ${path} DISABLE TRIGGER USER;`),
  ...tables.toReversed().map(({ path }) => `DELETE FROM ${path};`)
]

function opening(subject: BackupSubject, tables: Table[], core: string): string {
  const lines = [
    `-- The data of the module ${subject.name}, version ${oneLine(subject.version)}, revision ${oneLine(subject.revision)}.`,
    '-- Into the freshly installed module, as the owner of the tables:',
    '--   svc modules restore <this file>',
    '--   psql -v ON_ERROR_STOP=1 -f <this file>',
    ...SETTINGS,
    ...(tables.length > 0
      ? [`LOCK TABLE ${tables.map(table => table.path).join(', ')} IN SHARE ROW EXCLUSIVE MODE;`]
      : []),
    'DO $svc$',
    'BEGIN',
    `  IF (SELECT applied_revision FROM ${core}.core_module WHERE name = ${literal(subject.name)}) IS DISTINCT FROM ${literal(subject.revision)} THEN`,
    `    RAISE EXCEPTION 'the module % is not installed at the revision %', ${literal(subject.name)}, ${literal(subject.revision ?? '-')};`,
    '  END IF;',
    ...tables.flatMap(table => refusal(table, subject.name, core)),
    'END',
    '$svc$;',
    ...emptying(tables),
    `DELETE FROM ${core}.core_external_id WHERE module_name = ${literal(subject.name)};`,
    `DELETE FROM ${core}.core_module_setting WHERE module = ${literal(subject.name)};`
  ]
  return `${lines.join('\n')}\n`
}

export function ending(tables: Table[], sequences: string[]): string {
  const modes = tables.flatMap(({ path, triggers }) =>
    triggers.map(({ name, mode }) => `ALTER TABLE ${path} ${TRIGGER_MODES[mode]} TRIGGER ${name};\n`)
  )
  return [
    'SET CONSTRAINTS ALL IMMEDIATE;\n',
    ...tables.map(({ path }) => `ALTER TABLE ${path} ENABLE TRIGGER USER;\n`),
    ...modes,
    // Last, because a rollback does not reset a sequence.
    ...(sequences.length > 0 ? ['DO $svc$\nBEGIN\n', ...sequences, 'END\n$svc$;\n'] : []),
    'COMMIT;\n'
  ].join('')
}

// ---------------------------------------------------------------- rows

/** Throws if the server's count differs from the number of rows written. */
export async function copyTable(
  tx: TransactionSql,
  { name, path, columns, partitioned }: Table,
  write: Write
): Promise<number> {
  const from = partitioned ? path : `only ${path}`
  await write(`COPY ${path} (${columns.join(', ')}) FROM stdin;\n`)
  const written = await copyRows(
    tx,
    `select ${columns.map((column, index) => `${column}::text as c${index}`).join(', ')} from ${from}`,
    write
  )
  const [counted] = await tx.unsafe<{ n: string }[]>(`select count(*)::text as n from ${from}`)
  if (written !== Number(counted!.n))
    throw new Error(`the backup of ${name} has ${written} rows, the table ${counted!.n}`)
  return written
}

/** In the order in which they were created, because an uninstall deletes them newest first. */
async function copyRecords(tx: TransactionSql, module: string, core: string, write: Write): Promise<void> {
  await write(
    `COPY ${core}.core_external_id (module_name, xml_id, table_name, record_id, noupdate, created_at) FROM stdin;\n`
  )
  await copyRows(
    tx,
    `
    select module_name, xml_id, table_name, record_id, noupdate::text, created_at::text
    from ${core}.core_external_id where module_name = ${literal(module)} order by core_external_id.created_at, ctid`,
    write
  )
}

/** Of all clinics. Secrets stay sealed: only an instance with the same secret can open them. */
async function copySettings(tx: TransactionSql, module: string, core: string, write: Write): Promise<void> {
  const columns = ['clinic_id', 'module', '"values"', 'secrets', 'changed_at', 'version']
  await write(`COPY ${core}.core_module_setting (${columns.join(', ')}) FROM stdin;\n`)
  await copyRows(
    tx,
    `
    select ${columns.map((column, index) => `${column}::text as c${index}`).join(', ')}
    from ${core}.core_module_setting where module = ${literal(module)} order by clinic_id`,
    write
  )
}

/**
 * Reads by cursor, with one batch in memory at a time. Never with the cursor's callback: postgres.js does not wait for
 * the callback of the last batch, and the end of the data could come before its rows.
 */
async function copyRows(tx: TransactionSql, query: string, write: Write): Promise<number> {
  let written = 0
  for await (const batch of tx.unsafe(query).values().cursor(BATCH_ROWS)) {
    written += batch.length
    await write((batch as (string | null)[][]).map(row => `${row.map(toField).join('\t')}\n`).join(''))
  }
  await write('\\.\n')
  return written
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A field in COPY's text format (PostgreSQL manual: COPY, File Formats). */
const toField = (value: string | null) =>
  value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, character => ESCAPES[character]!)
const oneLine = (text: string | null) => (text ?? '-').replaceAll(/\s+/g, ' ')
