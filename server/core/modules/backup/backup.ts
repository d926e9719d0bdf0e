import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { TransactionSql } from 'postgres'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { writeData, type BackupSubject, type Write } from './backup-data.ts'

/** The side file `….sql.json`. */
const sideFile = z.object({
  module: z.string(),
  version: z.string().nullable(),
  revision: z.string().nullable(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  operation_id: z.string().nullable().default(null),
  /** Of the .sql file, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int(),
  /** Per table. */
  rows: z.record(z.string(), z.int()),
  /** The backup's snapshot, as PostgreSQL prints it. */
  snapshot: z.string().regex(/^[\d:,]+$/).nullable().default(null),
  /**
   * Events and jobs that were still waiting for the module. The uninstall deletes them, and a restore does not bring
   * them back.
   */
  deliveries: z
    .array(z.object({
      kind: z.enum(['event', 'job']),
      name: z.string(),
      event_id: z.string().nullable(),
      created_at: z.string()
    }))
    .default([])
})
export type BackupNote = z.infer<typeof sideFile>
/** `file` is the name below `storage/backups`. */
export type BackupItem = BackupNote & { file: string }

const NAME = /^module_[a-z][a-z0-9_]*_\d{8}T\d{6}Z\.sql$/

export const backupsFolder = (config: Pick<Config, 'storage'>) => join(config.storage, 'backups')
/** Shown in pg_stat_activity as `svc:backup`. */
const CONNECTION = { max: 1, name: 'backup' }

interface WriteBackup {
  database: Database
  config: Pick<Config, 'storage'>
  subject: BackupSubject
  operation_id: string
  deliveries: BackupNote['deliveries']
  /** Part of the file's name, so that the retry of a killed step replaces its own file. */
  at: Date
}

/**
 * Writes `module_<name>_<time>.sql` and its side file, verifies them, and only then gives both their final names: a
 * file with its final name is complete. Throws on any failure, and then leaves neither file.
 */
export async function writeBackup(backup: WriteBackup): Promise<BackupItem> {
  const { database, config, subject, operation_id, deliveries, at } = backup
  const folder = backupsFolder(config)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeLeftovers(folder, subject.name)
    const { file, created_at } = await freeName(folder, subject.name, operation_id, at)
    const temporary = join(folder, `.${file}.tmp`)
    const { rows: { rows, snapshot }, sha256, bytes } = await writeFileOf(database, subject, temporary)
    if (await sha256Of(temporary) !== sha256) throw new Error(`the backup ${file} differs from what was written`)
    const note: BackupNote = {
      module: subject.name,
      version: subject.version,
      revision: subject.revision,
      created_at,
      operation_id,
      sha256,
      bytes,
      rows,
      snapshot,
      deliveries
    }
    await writeSynced(`${temporary}.json`, `${JSON.stringify(note, null, 2)}\n`)
    await publishFile(folder, file)
    return { ...note, file }
  } catch (error) {
    // The error below is the one that matters; the next attempt removes the files.
    await removeLeftovers(folder, subject.name).catch(() => {})
    throw new Error(`the backup could not be written, nothing was removed: ${(error as Error).message}`, {
      cause: error
    })
  }
}

/** Newest first. A file without a readable side file is not a backup. */
export async function listBackups(config: Pick<Config, 'storage'>): Promise<BackupItem[]> {
  const folder = backupsFolder(config)
  const items: BackupItem[] = []
  for (const file of (await namesIn(folder)).filter(name => NAME.test(name))) {
    const note = await findNote(join(folder, file))
    if (note) items.push({ file, ...note })
  }
  return items.sort((a, b) => b.created_at.localeCompare(a.created_at) || a.file.localeCompare(b.file))
}

/** Null if there is no file, or it is not a backup. */
export async function findNote(file: string): Promise<BackupNote | null> {
  try {
    return sideFile.parse(JSON.parse(await readFile(`${file}.json`, 'utf8')))
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}

/** In hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

// ---------------------------------------------------------------- files

/** Renames the side file first, so that a file with its final name can be checked. */
async function publishFile(folder: string, file: string): Promise<void> {
  const [temporary, final] = [join(folder, `.${file}.tmp`), join(folder, file)]
  await rename(`${temporary}.json`, `${final}.json`)
  try {
    await rename(temporary, final)
  } catch (error) {
    await rm(`${final}.json`, { force: true })
    throw error
  }
  for (const path of [folder, dirname(folder)]) await syncFolder(path)
}

async function freeName(
  folder: string,
  module: string,
  operation_id: string,
  at: Date
): Promise<{ file: string, created_at: string }> {
  for (let second = Math.floor(at.getTime() / 1000); ; second += 1) {
    const created_at = new Date(second * 1000).toISOString()
    const file = `module_${module}_${created_at.replaceAll(/[-:]|\.\d+/g, '')}.sql`
    const isTaken = await stat(join(folder, file)).then(
      () => true,
      () => false
    )
    if (!isTaken || (await findNote(join(folder, file)))?.operation_id === operation_id) return { file, created_at }
  }
}

/** Removes the files of a killed process. This process holds the boot lock, so no other one is writing them. */
async function removeLeftovers(folder: string, module: string): Promise<void> {
  const own = new RegExp(`^\\.module_${module}_\\d{8}T\\d{6}Z\\.sql\\.tmp`)
  for (const name of (await namesIn(folder)).filter(name => own.test(name)))
    await rm(join(folder, name), { force: true })
}

const writeFileOf = (database: Database, subject: BackupSubject, path: string) =>
  writeSnapshot(database, path, async (tx, write) => {
    const [seen] = await tx<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
    return { rows: await writeData(tx, subject, write), snapshot: seen!.snapshot }
  })

/** Lets `work` write a file from one snapshot of the database, and syncs it. Throws if the file already exists. */
export async function writeSnapshot<T>(
  database: Pick<Database, 'connect'>,
  path: string,
  work: (tx: TransactionSql, write: Write) => Promise<T>
): Promise<{ rows: T, sha256: string, bytes: number }> {
  const sql = database.connect(CONNECTION)
  const handle = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  async function write(text: string) {
    const chunk = Buffer.from(text)
    await handle.writeFile(chunk)
    hash.update(chunk)
    bytes += chunk.length
  }
  try {
    const rows = await sql.begin('isolation level repeatable read read only', tx => work(tx, write))
    await handle.sync()
    return { rows: rows as T, sha256: hash.digest('hex'), bytes }
  } finally {
    await handle.close()
    await sql.end({ timeout: 5 })
  }
}

export async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A new name is durable only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Resolves the path of a backup: a bare name is in `storage/backups`. */
export const backupPath = (config: Pick<Config, 'storage'>, file: string) =>
  basename(file) === file ? join(backupsFolder(config), file) : file
