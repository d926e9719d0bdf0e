import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionSql } from 'postgres'
import type { BootLock, StepTx } from './lock.ts'

export interface Migration { revision: string, up: string, down: string | null, checksum: string }

/** A branch that cannot be migrated; `code` is the reason. */
export class MigrationError extends Error {
  readonly code: 'downgrade_not_supported' | 'changed' | 'no_down'
  constructor(code: MigrationError['code'], message: string) {
    super(message)
    this.name = 'MigrationError'
    this.code = code
  }
}

interface Revert {
  module: string
  /** Absolute. */
  folder: string
  target: 'head' | 'base'
  /** Runs in the transaction of the last revision, or in its own if there is nothing to migrate. */
  finish?: (tx: StepTx) => Promise<void>
  /** By revision: changes to rows that SQL alone cannot make, in the transaction of the up file. */
  after?: Record<string, (tx: StepTx) => Promise<void>>
}

/** All revisions of a branch, in order. A missing folder is an empty branch. */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter(file => /^\d{4}_.+\.sql$/.test(file) && !file.endsWith('.down.sql'))
  return files.sort().map((file) => {
    const revision = file.slice(0, -'.sql'.length)
    const up = readFileSync(join(folder, file), 'utf8')
    const down = join(folder, `${revision}.down.sql`)
    return { revision, up, down: existsSync(down) ? readFileSync(down, 'utf8') : null, checksum: checksumOf(up) }
  })
}

/** The newest revision on disk; null for an empty branch. */
export function headOf(folder: string): string | null {
  return readMigrations(folder).at(-1)?.revision ?? null
}

/** Ignores line endings, because a checkout may have changed them. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/** The tables that a branch's up files create, by name. */
export function tablesOf(folder: string): string[] {
  const names = readMigrations(folder).flatMap(({ up }) =>
    [...up.matchAll(/(?:^|;)\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:"?\w+"?\.)?("?)(\w+)/gim)]
      .map(([, quote, name]) => quote ? name! : name!.toLowerCase())) // the server folds unquoted names to lower case
  return [...new Set(names)]
}

/**
 * Migrates one branch, with one transaction per revision that includes its `core_migration` row. Returns the applied or
 * reverted revisions, in order. Throws MigrationError or the database's error; earlier revisions stay applied.
 */
export async function migrateTo(lock: BootLock, move: Revert): Promise<string[]> {
  const migrations = readMigrations(move.folder)
  const moved: string[] = []
  for (;;) {
    const more = await lock.step(async (tx) => {
      const applied = await readApplied(tx.sql, move.module)
      const isLast
        = move.target === 'head'
          ? await up(tx, move, migrations, applied, moved)
          : await down(tx, move.module, migrations, applied, moved)
      if (isLast) await move.finish?.(tx)
      return !isLast
    })
    if (!more) return moved
  }
}

/** What is dropped with a branch, by name. */
export interface DroppedObjects { tables: string[], sequences: string[] }

/**
 * Reverts the whole branch and rolls that back. Throws what a real revert would throw, before anything is lost, and
 * returns what it would drop, whatever created it.
 */
export async function rehearseBase(
  lock: BootLock,
  { module, folder }: { module: string, folder: string }
): Promise<DroppedObjects> {
  const migrations = readMigrations(folder)
  const rehearsal = new Error('only a dry run')
  let going: DroppedObjects = { tables: [], sequences: [] }
  await lock
    .step(async (tx) => {
      const before = await readRelations(tx.sql)
      while (!(await down(tx, module, migrations, await readApplied(tx.sql, module), [])));
      const left = new Set((await readRelations(tx.sql)).map(({ id }) => id))
      const gone = before.filter(({ id }) => !left.has(id))
      refuseOutside(gone)
      going = {
        tables: gone.filter(({ kind }) => kind !== 'S').map(({ name }) => name),
        sequences: gone.filter(({ kind }) => kind === 'S').map(({ name }) => name)
      }
      throw rehearsal
    })
    .catch((error: unknown) => {
      if (error !== rehearsal) throw withDependants(error)
    })
  return going
}

/** The server reports dependent objects separately from its message. */
function withDependants(error: unknown): unknown {
  const DEPENDENT_OBJECTS = '2BP01'
  const { code, message, cause } = error as { code?: string, message?: string, cause?: { detail?: string } }
  return code === DEPENDENT_OBJECTS ? new Error(`${message}: ${cause?.detail}`, { cause: error }) : error
}

interface Relation { id: string, schema: string, name: string, kind: string, is_home: boolean }

async function readRelations(sql: TransactionSql): Promise<Relation[]> {
  return sql`
    select c.oid::text as id, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind, n.nspname = current_schema() as is_home
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'S') and c.relpersistence <> 't' and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`
}

/** A backup contains only tables in the service's schema, so tables in another schema would be lost. */
function refuseOutside(gone: Relation[]): void {
  const outside = gone
    .filter(({ kind, is_home }) => kind !== 'S' && !is_home)
    .map(({ schema, name }) => `${schema}.${name}`)
  if (outside.length > 0)
    throw new Error(
      `the removal would drop ${outside.join(', ')}, which no backup contains because it is in a schema of its own; --keep-data keeps it`
    )
}

interface Applied { revision: string, checksum: string }

/** Applies at most one revision; true if the branch is then at its head. */
async function up(
  tx: StepTx,
  { module, after }: Revert,
  migrations: Migration[],
  applied: Applied[],
  moved: string[]
): Promise<boolean> {
  const { sql } = tx
  if (applied.length > migrations.length) {
    throw new MigrationError(
      'downgrade_not_supported',
      `downgrade not supported: ${module} was migrated to ${applied.at(-1)!.revision}, which this version does not know`
    )
  }
  if (applied.length === migrations.length && applied.at(-1)?.revision === migrations.at(-1)?.revision) return true
  refuseChanged(module, migrations, applied)
  const next = migrations[applied.length]!
  await runFile(sql, next.up, `${next.revision}.sql`)
  await after?.[next.revision]?.(tx)
  await sql`insert into core_migration (module_name, revision, checksum) values (${module}, ${next.revision}, ${next.checksum})`
  await noteRevision(sql, module, next.revision)
  moved.push(next.revision)
  return applied.length + 1 === migrations.length
}

/** Reverts at most one revision; true if nothing of the branch is left. */
async function down(
  { sql }: StepTx,
  module: string,
  migrations: Migration[],
  applied: Applied[],
  moved: string[]
): Promise<boolean> {
  const last = applied.at(-1)
  if (!last) return true
  refuseChanged(module, migrations, applied)
  const migration = migrations[applied.length - 1]!
  if (migration.down === null) throw new MigrationError('no_down', `${module}: ${migration.revision} has no down file`)
  await runFile(sql, migration.down, `${migration.revision}.down.sql`)
  moved.push(migration.revision)
  if (!(await hasTable(sql, 'core_migration'))) return true
  await sql`delete from core_migration where module_name = ${module} and revision = ${migration.revision}`
  await noteRevision(sql, module, applied.at(-2)?.revision ?? null)
  return applied.length === 1
}

function refuseChanged(module: string, migrations: Migration[], applied: Applied[]): void {
  for (const [index, { revision, checksum }] of applied.entries()) {
    if (migrations[index]?.revision === revision && migrations[index].checksum === checksum) continue
    throw new MigrationError('changed', `${module}: ${revision} is not the file that was applied`)
  }
}

/** The applied revisions of a branch; none in an empty database. */
export async function readApplied(sql: TransactionSql, module: string): Promise<Applied[]> {
  if (!await hasTable(sql, 'core_migration')) return []
  return sql<Applied[]>`select revision, checksum from core_migration where module_name = ${module} order by revision`
}

async function hasTable(sql: TransactionSql, name: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select to_regclass(${name}) is not null as found`
  return row!.found
}

/** Always matches the database, also between the revisions of a migration that failed half-way. */
async function noteRevision(sql: TransactionSql, module: string, revision: string | null): Promise<void> {
  if (module === 'core') return
  await sql`update core_module set applied_revision = ${revision} where name = ${module}`
}

/**
 * Splits at drizzle-kit's separator; each part may contain several statements. They run inside a block in which the
 * server refuses COMMIT and the like: a file that ended its own transaction could not be rolled back, after a failure
 * or in a dry run. Errors name `file`.
 */
export async function runFile(sql: TransactionSql, text: string, file?: string): Promise<void> {
  const parts = text.split('--> statement-breakpoint').filter(part => part.trim() !== '')
  for (const [at, statements] of parts.entries()) {
    await sql`select set_config('svc.statements', ${statements}, true)`
    await sql
      .unsafe('do $$ begin execute current_setting(\'svc.statements\'); end $$')
      .catch(explainTransaction)
      .catch((error: unknown) => { throw file ? toStatementError(error, { file, at, statements }) : error })
  }
}

function explainTransaction(error: unknown): never {
  const { code, message } = error as { code?: string, message?: string }
  const NOT_SUPPORTED = '0A000'
  if (code !== NOT_SUPPORTED || !/transaction command/i.test(message ?? '')) throw error
  throw new Error('a migration begins or ends a transaction (BEGIN, COMMIT): each file is one already', {
    cause: error
  })
}

interface Place { file: string, at: number, statements: string }

/** Adds the refused statement to the server's error. A lost connection's error is kept. */
function toStatementError(error: unknown, { file, at, statements }: Place): unknown {
  const { code, message, internal_position: position } = error as
    { code?: string, message: string, internal_position?: string }
  const isServers = error instanceof Error && (code === undefined || /^[0-9A-Z]{5}$/.test(code))
  if (!isServers) return error
  const statement = shorten(position ? statementAt(statements, Number(position)) : statements)
  const explained = new Error(`${file}, statement ${at + 1} (${statement}): ${message}`, { cause: error })
  return code === undefined ? explained : Object.assign(explained, { code })
}

/**
 * The statement at that character, if one part has several. A semicolon inside a text truncates the statement in the
 * message, nothing else.
 */
function statementAt(statements: string, position: number): string {
  const before = statements.slice(0, position - 1).lastIndexOf(';') + 1
  const after = statements.indexOf(';', position - 1)
  return statements.slice(before, after === -1 ? undefined : after)
}

const MAX_STATEMENT_LENGTH = 100

function shorten(statement: string): string {
  const line = statement.replaceAll(/--[^\n]*/g, '').replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_STATEMENT_LENGTH ? `${line.slice(0, MAX_STATEMENT_LENGTH)}…` : line
}
