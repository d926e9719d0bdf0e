/**
 * The part of a boot that runs under the lock, killed at its nth operation: `before` the commit of a transaction,
 * `after` it, or before the nth `file` operation on a backup. If it is not killed, it prints its operations, each with
 * the step that it completed, or whether it wrote. Arguments: root, n, before|after|file, and `official` for a start
 * with the official modules, which only the script itself has, not its bundle. All else comes from the environment.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { readConfig } from '../../../server/core/config.ts'
import { takeBootLock, type BootLock, type StepTx } from '../../../server/core/db/lock.ts'
import { migrateTo } from '../../../server/core/db/migrate.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import { processPending } from '../../../server/core/modules/lifecycle.ts'
import { openHost } from '../../../server/core/open-host.ts'

const [root, at, when, modules] = process.argv.slice(2) as [string, string, 'before' | 'after' | 'file', string?]
const config = readConfig(process.env, root)
const pieces: string[] = []
let files = 0

async function dieAt(piece: number, moment: typeof when) {
  if (piece !== Number(at) || moment !== when) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

async function describe({ sql }: StepTx): Promise<string> {
  const [row]
    = await sql`select to_regclass('core_module_operation_log') is not null as found, pg_current_xact_id_if_assigned() is not null as wrote`
  if (!row!.found || !row!.wrote) return row!.wrote ? 'wrote' : ''
  const rows
    = await sql`select module_name || ' ' || step as step from core_module_operation_log where finished_at > now() and status = 'completed'`
  return rows.map(step => step.step as string).join() || 'wrote'
}

const { open, rename } = fs.promises
const isBackup = (path: unknown) => String(path).includes('backups')
fs.promises.open = async (...args) => {
  const handle = await open(...args)
  if (!isBackup(args[0])) return handle
  for (const name of ['writeFile', 'sync'] as const) {
    const original = handle[name].bind(handle) as (...args: unknown[]) => Promise<void>
    Object.assign(handle, { [name]: async (...inner: unknown[]) => {
      await dieAt(++files, 'file')
      await original(...inner)
    } })
  }
  return handle
}
fs.promises.rename = async (...args) => {
  await dieAt(++files, 'file')
  await rename(...args)
}
syncBuiltinESMExports()

const host = await openHost(config)
const lock = await takeBootLock(host.database)
const deadly: BootLock = {
  ...lock,
  async step(run) {
    const piece = pieces.push('')
    const result = await lock.step(async (tx) => {
      const inner = await run(tx)
      pieces[piece - 1] = await describe(tx)
      await dieAt(piece, 'before')
      return inner
    })
    await dieAt(piece, 'after')
    return result
  }
}

await migrateTo(deadly, { module: 'core', folder: join(root, 'drizzle'), target: 'head' })
await processPending({
  host,
  lock: deadly,
  discovered: await discover(config),
  bundled: modules === 'official' ? (await import('../modules/official.ts')).official : { modules: {}, routes: [] }
})
await lock.release()
await host.database.close()
process.stdout.write(JSON.stringify({ pieces, files }))
