import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openConnection } from '../../../server/core/db/connection.ts'
import { SECRET } from '../../support/browser/built-server.ts'
import { cleanEnv, type Env } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'
import type { BenchInstance } from '../support/instance.ts'
import { compare, type Figure } from '../support/measure.ts'

const run = promisify(execFile)

/**
 * The whole command, from the shell script to its exit, with a database address and with the embedded database that it
 * finds by itself.
 */
export async function modulesList(instance: BenchInstance): Promise<Figure[]> {
  const env = cleanEnv({ ...instance.env, SVC_SECRET: SECRET })
  const settings = { database_url: instance.env.DATABASE_URL!, storage: instance.storage, root }
  const { DATABASE_URL: _, ...embedded } = env
  const list = (env: Env) => run(join(root, 'bin/svc'), ['modules', 'list'], { env })
  const bare = () => run(process.execPath, ['-e', '0'])
  const onServer = await compare({
    name: 'svc modules list',
    baseline: {
      name: 'node -e 0, plus one connection to the database',
      async run() {
        await bare()
        await (await openConnection(settings, { max: 1 })).close()
      }
    },
    run: () => list(env),
    at_most: 3,
    size: instance.size,
    rounds: 15,
    warm_up: 2
  })
  const onEmbedded = await compare({
    name: 'svc modules list, embedded database',
    baseline: { name: 'node -e 0', run: bare },
    run: () => list(embedded),
    at_most: 6,
    size: instance.size,
    rounds: 15,
    warm_up: 2
  })
  return [onServer, onEmbedded]
}
