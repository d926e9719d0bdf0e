import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sql, TransactionSql } from 'postgres'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { backupPath, findNote, sha256Of, type BackupNote } from './backup.ts'

/** The reason why a backup was not restored. Nothing was changed. */
export class RestoreError extends Error {
  readonly code:
    'backup_not_found' | 'backup_damaged' | 'not_installed' | 'wrong_version' | 'not_empty' | 'restore_failed'

  readonly hint: string | undefined
  constructor(code: RestoreError['code'], message: string, hint?: string) {
    super(message)
    this.name = 'RestoreError'
    this.code = code
    this.hint = hint
  }
}

export interface Restored {
  file: string
  module: string
  version: string | null
  revision: string | null
  rows: Record<string, number>
}

/**
 * Restores the data of a backup into the installed module, all or nothing. `file` is a path, or a name in
 * `storage/backups`. Throws RestoreError, or the database's error if it cannot be reached.
 */
export async function restoreBackup(
  { database, config }: { database: Database, config: Pick<Config, 'storage'> },
  file: string
): Promise<Restored> {
  const path = backupPath(config, file)
  const note = await readNote(path)
  const sql = database.connect({ max: 1, name: 'restore' })
  try {
    await refuseOtherVersion(sql, note)
    await sql.begin(async (tx) => {
      await load(tx, path)
      await compareRows(tx, note)
    })
  } catch (error) {
    throw explain(error)
  } finally {
    await sql.end({ timeout: 5 })
  }
  return { file: basename(path), module: note.module, version: note.version, revision: note.revision, rows: note.rows }
}

async function readNote(path: string): Promise<BackupNote> {
  const isThere = await stat(path).then(found => found.isFile(), () => false)
  if (!isThere) throw new RestoreError('backup_not_found', `There is no backup ${path}.`, 'svc modules backups')
  const note = await findNote(path)
  if (!note)
    throw new RestoreError(
      'backup_damaged',
      `${basename(path)}.json is missing or damaged: the checksum cannot be compared.`,
      'svc modules backups'
    )
  if ((await sha256Of(path)) !== note.sha256)
    throw new RestoreError(
      'backup_damaged',
      `${basename(path)} has changed since it was written: its checksum differs.`,
      'svc modules backups'
    )
  return note
}

async function refuseOtherVersion(sql: Sql, note: BackupNote): Promise<void> {
  const [row] = await sql<{ state: string, version: string | null, revision: string | null }[]>`
    select state, version, applied_revision as revision from core_module where name = ${note.module}`
  if (row?.state !== 'installed') {
    throw new RestoreError(
      'not_installed',
      `The module ${note.module} is not installed.`,
      `svc modules install ${note.module}, and restart`
    )
  }
  if (row.version !== note.version || row.revision !== note.revision) {
    const [installed, stored] = [row, note].map(
      ({ version, revision }) => `version ${version ?? '-'} at revision ${revision ?? '-'}`
    )
    throw new RestoreError(
      'wrong_version',
      `The backup is of ${note.module} ${stored}, installed is ${installed}.`,
      `install version ${note.version ?? '-'} of the package`
    )
  }
}

/** Keeps the server's message if the file's own checks refuse, or if rows do not fit. */
export function explain(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  const RAISED = 'P0001'
  if (error instanceof RestoreError || typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return error
  return new RestoreError(
    code === RAISED ? 'not_empty' : 'restore_failed',
    `Nothing was restored: ${(error as Error).message}`
  )
}

export async function compareRows(tx: TransactionSql, note: Pick<BackupNote, 'rows'>): Promise<void> {
  for (const [table, rows] of Object.entries(note.rows)) {
    const [counted] = await tx<{ n: string }[]>`select count(*)::text as n from ${tx(table)}`
    if (Number(counted!.n) !== rows)
      throw new RestoreError(
        'restore_failed',
        `Nothing was restored: ${table} would have ${counted!.n} rows, the backup names ${rows}.`
      )
  }
}

// ---------------------------------------------------------------- the file, statement by statement

const COPY = /^(COPY .* FROM stdin);$/
const BLOCK = '$svc$'

/**
 * Runs the file like psql, in the caller's transaction. We wrote the file, as its checksum proves, so each statement
 * ends at the end of a line.
 */
export async function load(tx: TransactionSql, path: string): Promise<void> {
  const lines = linesOf(path)
  let statement = ''
  for (;;) {
    const { value: line, done } = await lines.next()
    if (done) return
    if (statement === '' && (line === '' || line.startsWith('--') || line === 'BEGIN;' || line === 'COMMIT;')) continue
    const copy = statement === '' ? COPY.exec(line) : null
    if (copy) {
      await copyIn(tx, copy[1]!, rowsOf(lines))
      continue
    }
    statement += `${line}\n`
    if (!line.endsWith(';') || statement.split(BLOCK).length % 2 === 0) continue
    await tx.unsafe(statement)
    statement = ''
  }
}

/**
 * postgres.js destroys its stream when the last row is written, and loses an error that the server finds only then (a
 * constraint), because the stream settles its promise. So the query's `reject` ends the stream.
 */
async function copyIn(tx: TransactionSql, statement: string, rows: AsyncGenerator<Buffer>): Promise<void> {
  const query = tx.unsafe(statement)
  const stream = await query.writable()
  Object.assign(query, { reject: (error: Error) => stream.destroy(error) })
  await pipeline(Readable.from(rows), stream)
}

/** Reads up to the end of the data, with many rows in each chunk. */
async function* rowsOf(lines: AsyncGenerator<string, void>): AsyncGenerator<Buffer> {
  const LARGE = 64 * 1024
  let chunk = ''
  for (;;) {
    const { value: line, done } = await lines.next()
    if (done) throw new RestoreError('backup_damaged', 'The backup ends in the middle of a table.')
    if (line === '\\.') break
    chunk += `${line}\n`
    if (chunk.length < LARGE) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk !== '') yield Buffer.from(chunk)
}

/** Splits at line feeds only: other line separators (U+2028) are not escaped in texts. */
async function* linesOf(path: string): AsyncGenerator<string, void> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const parts = (rest + (chunk as string)).split('\n')
    rest = parts.pop()!
    yield* parts
  }
  if (rest !== '') yield rest
}
