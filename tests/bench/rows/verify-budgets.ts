import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SECRET } from '../../support/browser/built-server.ts'
import { root } from '../../support/modules/official.ts'
import type { BenchInstance } from '../support/instance.ts'
import { openLinks } from '../support/links.ts'
import { figure, took, type Figure } from '../support/measure.ts'

const run = promisify(execFile)

const BUDGETS = { full: 30_000, smallest: 100 }
const AIM = 5000

/** The whole command for sent budgets of five lines, each with the first row of its log. */
export async function verifyBudgets(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const count = BUDGETS[instance.size]
  say(`writing ${count} budgets`)
  await openLinks(instance, count, { logged: true })
  await instance.sql`vacuum analyze`
  const env = { ...process.env, ...instance.env, SVC_SECRET: SECRET }
  let json = ''
  const ms = await took(async () => {
    // Other rows leave budgets without a log, which are findings, so that the command exits with 1.
    json = await run(join(root, 'bin/svc'), ['budgets', 'verify', '--json'], { env, maxBuffer: 1e9 })
      .then(({ stdout }) => stdout, ({ stdout }) => stdout)
  })
  const { budgets } = JSON.parse(json)
  return [figure({
    name: `svc budgets verify, ${count.toLocaleString('en')} budgets`,
    baseline: `${AIM.toLocaleString('en')} a second`,
    unit: '/s',
    base: AIM,
    measured: budgets / ms * 1000,
    at_least: 1
  })]
}
