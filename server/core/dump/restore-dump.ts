import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { TransactionSql } from 'postgres'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { takeBootLock } from '../db/lock.ts'
import { readMigrations, runFile, type Migration } from '../db/migrate.ts'
import { sha256Of } from '../modules/backup/backup.ts'
import { discover } from '../modules/discover.ts'
import { compareRows, explain, load, RestoreError } from '../modules/backup/restore.ts'
import { migrationsOf } from '../modules/steps.ts'
import { checkSecretOf } from '../people/seals/used-secrets.ts'
import { findDumpNote, type Branch, type DumpNote } from './note.ts'
import { namesOf } from './write-dump.ts'

/** The migrations on disk, up to the dump's last applied one. */
interface Ready { module: string, migrations: Migration[] }

/**
 * Creates the tables as they were in the dump and fills them in one transaction, all or nothing. Only into an empty
 * database, and only with the instance secret of the dump. Throws RestoreError, ConfigError, or the database's error.
 */
export async function restoreDump(
  { database, config }: { database: Database, config: Config },
  file: string
): Promise<DumpNote> {
  const note = await readNote(file)
  const ready = await findMigrations(config, note)
  const lock = await takeBootLock(database)
  try {
    await lock.step(async ({ sql }) => {
      await refuseFull(sql)
      await sql`select set_config('statement_timeout', '0', true)`
      for (const { migrations } of ready) for (const { up } of migrations) await runFile(sql, up)
      // A table with pending deferred checks of a migration can't be altered.
      await sql`set constraints all immediate`
      await refuseMissingTables(sql, note)
      await load(sql, file)
      await compareRows(sql, note)
      await checkSecretOf(sql, config)
    })
  } catch (error) {
    throw explain(error)
  } finally {
    await lock.release()
  }
  return note
}

async function readNote(file: string): Promise<DumpNote> {
  const isThere = await stat(file).then(found => found.isFile(), () => false)
  if (!isThere) throw new RestoreError('backup_not_found', `There is no dump ${file}.`)
  const note = await findDumpNote(file)
  if (!note)
    throw new RestoreError(
      'backup_damaged',
      `${basename(file)}.json is missing or damaged: the checksum cannot be compared.`,
      'svc db dump writes both files: copy them together'
    )
  if ((await sha256Of(file)) !== note.sha256)
    throw new RestoreError('backup_damaged', `${basename(file)} has changed since it was written: its checksum differs.`)
  return note
}

async function findMigrations(config: Config, { branches, version }: DumpNote): Promise<Ready[]> {
  const discovered = await discover(config)
  return branches.map((branch) => {
    const module = discovered.find(({ name }) => name === branch.module)
    const folder = branch.module === 'core' ? join(config.root, 'drizzle') : module ? migrationsOf(module) : null
    if (!folder)
      throw new RestoreError(
        'wrong_version',
        `The dump has tables of the module ${branch.module}, whose package is not on disk.`,
        `install version ${branch.version ?? '-'} of the package`
      )
    return {
      module: branch.module,
      migrations: branch.revisions.map(revision => findRevision(folder, branch, revision, version))
    }
  })
}

function findRevision(
  folder: string,
  { module }: Branch,
  { revision, checksum }: Branch['revisions'][number],
  version: string
): Migration {
  const found = readMigrations(folder).find(migration => migration.revision === revision)
  if (found?.checksum === checksum) return found
  const how = found ? 'differs from the one on disk' : 'is not on disk'
  throw new RestoreError(
    'wrong_version',
    `The dump is of version ${version}; its migration ${revision} of ${module} ${how}.`,
    `restore it with version ${version}, then upgrade`
  )
}

async function refuseFull(sql: TransactionSql): Promise<void> {
  const [first] = await namesOf(sql, ['r', 'p'])
  if (first)
    throw new RestoreError(
      'not_empty',
      `The database is not empty: it has the table ${first}. Nothing was changed.`,
      'set DATABASE_URL to an empty database, or SVC_STORAGE to another folder'
    )
}

/** A module may have created tables in its code. */
async function refuseMissingTables(sql: TransactionSql, { rows }: DumpNote): Promise<void> {
  const made = new Set(await namesOf(sql, ['r', 'p']))
  const missing = Object.keys(rows).filter(table => !made.has(table))
  if (missing.length > 0)
    throw new RestoreError(
      'restore_failed',
      `Nothing was restored: no migration on disk makes the table ${missing.join(', ')}, which the dump has.`
    )
}
