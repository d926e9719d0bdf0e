import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { TransactionSql } from 'postgres'
import type { Connection } from '../db/connection.ts'
import {
  copyTable,
  emptying,
  ending,
  readSequences,
  readTables,
  setForText,
  SETTINGS,
  type Write
} from '../modules/backup/backup-data.ts'
import { sha256Of, syncFolder, writeSnapshot, writeSynced } from '../modules/backup/backup.ts'
import { inDependencyOrder } from '../modules/plan.ts'
import { noteOf, type Branch, type DumpNote } from './note.ts'

interface WriteDump {
  database: Pick<Connection, 'connect'>
  /** Absolute. */
  file: string
  /** Of this service. */
  version: string
  now: Date
  /** Called with a line before each table. */
  progress: (line: string) => void
}

/** The contents of one snapshot. */
interface Snapshot { rows: Record<string, number>, branches: Branch[] }

/**
 * Writes every table and sequence of the service's schema from one snapshot, and a side file. Both get their final
 * names once they are complete and verified.
 */
export async function writeDump({ database, file, version, now, progress }: WriteDump): Promise<DumpNote> {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    const {
      rows: { rows, branches },
      sha256,
      bytes
    } = await writeSnapshot(database, temporary, (tx, write) => writeAll(tx, write, progress))
    if (await sha256Of(temporary) !== sha256) throw new Error(`${file} differs from what was written`)
    const note: DumpNote = { kind: 'instance', version, created_at: now.toISOString(), sha256, bytes, branches, rows }
    await writeSynced(noteOf(temporary), `${JSON.stringify(note, null, 2)}\n`)
    if (existsSync(file)) throw new Error(`${file} exists by now`)
    await rename(noteOf(temporary), noteOf(file))
    await rename(temporary, file)
    await syncFolder(dirname(file))
    return note
  } finally {
    for (const left of [temporary, noteOf(temporary)]) await rm(left, { force: true })
  }
}

async function writeAll(tx: TransactionSql, write: Write, progress: (line: string) => void): Promise<Snapshot> {
  await tx`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`
  await setForText(tx)
  const branches = await readBranches(tx) // first, because it reports an empty database as such
  const tables = inDependencyOrder(await readTables(tx, await namesOf(tx, ['r', 'p'])))
  const sequences = await readSequences(tx, await namesOf(tx, ['S']))
  await write([
    '-- The data of a whole instance. Into an empty database, with the same secret:',
    '--   svc db restore <this file>',
    ...SETTINGS,
    ...emptying(tables)
  ].join('\n') + '\n')
  const rows: Record<string, number> = {}
  for (const table of tables) {
    progress(`${table.name} ...`)
    rows[table.name] = await copyTable(tx, table, write)
  }
  await write(ending(tables, sequences))
  return { rows, branches }
}

/** Objects of the service's schema, without those of extensions. */
export async function namesOf(tx: TransactionSql, kinds: string[]): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select relname::text as name from pg_class c
    where relkind::text = any (${kinds}::text[]) and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
    order by 1`
  return rows.map(({ name }) => name)
}

async function readBranches(tx: TransactionSql): Promise<Branch[]> {
  const rows = await tx<{ module: string, revision: string, checksum: string, version: string | null }[]>`
    select m.module_name as module, m.revision, m.checksum, c.version
    from core_migration m left join core_module c on c.name = m.module_name order by m.module_name <> 'core', m.module_name, m.revision`
  return [...Map.groupBy(rows, ({ module }) => module)].map(([module, revisions]) => ({
    module,
    version: revisions[0]!.version,
    revisions: revisions.map(({ revision, checksum }) => ({ revision, checksum }))
  }))
}
