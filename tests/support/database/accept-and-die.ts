/**
 * An acceptance in the clinic that is killed at its nth point: before each statement of its transactions, before their
 * commit and after it. If it is not killed, it prints the number of points and the code of a refusal. Arguments: n, and
 * the ids of clinic, budget and witness. Everything else comes from the environment.
 */
import { isProblem, type Ctx, type Tx } from '@svc/kit'
import { acceptBudget } from '../../../layers/budget/server/services/decision/accept-budget.ts'
import { readConfig } from '../../../server/core/config.ts'
import { clientOf } from '../../../server/core/db/lock.ts'
import { transactionOver } from '../../../server/core/db/guarded/run-in-savepoint.ts'
import { watchStatements } from '../../../server/core/db/guarded/watch-statements.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import { createRegistry } from '../../../server/core/modules/registry.ts'
import { openHost } from '../../../server/core/open-host.ts'
import { official, root } from '../modules/official.ts'

const [at, clinic_id, budget_id, witness_id] = process.argv.slice(2) as [string, string, string, string]
const config = readConfig(process.env, root)
const host = await openHost(config)
host.registry = await createRegistry({ host, discovered: await discover(config), bundled: official, serves: false })
const { ctx } = host.registry.get('budget')!

let points = 0
function dieAtPoint() {
  points += 1
  if (points === Number(at)) process.kill(process.pid, 'SIGKILL')
}

const deadly = (tx: Tx): Tx => transactionOver(watchStatements(clientOf(tx), dieAtPoint))

const transaction: Ctx['db']['transaction'] = async (run) => {
  const result = await ctx.db.transaction(async (tx) => {
    const made = await run(deadly(tx))
    dieAtPoint()
    return made
  })
  dieAtPoint()
  return result
}
const db = new Proxy(ctx.db, { get: (target, name) => name === 'transaction' ? transaction : Reflect.get(target, name) as unknown })

const code = await acceptBudget({ ...ctx, db }, {
  by: { via: 'in_clinic', clinic_id, budget_id, witness_id },
  client: { ip: '127.0.0.1', ip_key: '127.0.0.1', user_agent: 'test' },
  locale: 'en',
  signer_name: 'Lucía Muñoz',
  relationship: 'patient',
  signature: { method: 'click' },
  consent: true
}).then(({ status }) => status, (error: unknown) => isProblem(error) ? error.code : Promise.reject(error))
await host.threads.close()
await host.database.close()
process.stdout.write(JSON.stringify({ points, code }))
