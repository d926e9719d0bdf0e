/**
 * A boot that is killed at its nth piece of work under the lock: `before` its commit, or `after` it. Prints
 * the number of pieces when it lives. Arguments: root, n, before|after; the rest comes from the environment.
 */
import { join } from 'node:path'
import { readConfig } from '../../server/core/config.ts'
import { takeBootLock, type BootLock } from '../../server/core/db/lock.ts'
import { migrateTo } from '../../server/core/db/migrate.ts'
import { discover } from '../../server/core/modules/discover.ts'
import { processPending } from '../../server/core/modules/lifecycle.ts'
import { openServices } from '../../server/core/open-services.ts'

const [root, at, when] = process.argv.slice(2) as [string, string, 'before' | 'after']
const config = readConfig(process.env, root)
const services = await openServices(config)
const lock = await takeBootLock(services.database)
let pieces = 0

async function dieAt(piece: number, moment: 'before' | 'after') {
  if (piece !== Number(at) || moment !== when) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

const deadly: BootLock = {
  ...lock,
  async step(run) {
    const piece = ++pieces
    const result = await lock.step(async (tx) => {
      const inner = await run(tx)
      await dieAt(piece, 'before')
      return inner
    })
    await dieAt(piece, 'after')
    return result
  }
}

await migrateTo(deadly, { module: 'core', folder: join(root, 'drizzle'), target: 'head' })
await processPending({ services, lock: deadly, discovered: await discover(config), bundled: {} })
await lock.release()
await services.database.close()
process.stdout.write(String(pieces))
