import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openConnection } from '../../../server/core/db/connection.ts'
import { SECRET } from '../../support/built-server.ts'
import { cleanEnv } from '../../support/cli.ts'
import { root } from '../../support/official.ts'
import type { BenchInstance } from '../support/instance.ts'
import { compare, type Figure } from '../support/measure.ts'

const run = promisify(execFile)

/** The whole command, from the shell script to its exit. */
export async function modulesList(instance: BenchInstance): Promise<Figure[]> {
  const env = cleanEnv({ ...instance.env, SVC_SECRET: SECRET })
  const settings = { database_url: instance.env.DATABASE_URL!, storage: instance.storage, root }
  return [await compare({
    name: 'svc modules list',
    baseline: {
      name: 'node -e 0, plus one connection to the database',
      async run() {
        await run(process.execPath, ['-e', '0'])
        await (await openConnection(settings, { max: 1 })).close()
      }
    },
    run: () => run(join(root, 'bin/svc'), ['modules', 'list'], { env }),
    at_most: 3,
    rounds: 15,
    warm_up: 2
  })]
}
