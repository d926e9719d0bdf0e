import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, BUDGETS } from '../../support/builders.ts'
import { verify } from '../../support/logs.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { GATE, installModule, setMode, type Mode } from '../../support/modules/gate.ts'

const SCRIPT = join(import.meta.dirname, '../../support/database/accept-and-die.ts')
/** `npm run test:load` kills at each point. */
const EVERY = process.env.LOAD ? 1 : 4

let instance: Instance
let witness: string
beforeAll(async () => {
  instance = await anInstance()
  await installModule(instance, 'gate', GATE)
  witness = (await (await instance.as('admin')).get('/me')).body.data.user.id
})
afterAll(() => instance.close())

/** Null if the process was killed. */
function acceptAndDie(budget_id: string, at: number): Promise<{ points: number, code: string } | null> {
  const { database_url, secret } = instance.runtime.host.config
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database_url!,
    SVC_SECRET: secret!,
    SVC_STORAGE: instance.storage,
    LOG_LEVEL: 'silent'
  }
  const given = [SCRIPT, String(at), instance.clinic.id, budget_id, witness]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, given, { env }, (error, stdout) => {
      if (error && error.signal !== 'SIGKILL') reject(error)
      else resolve(error ? null : JSON.parse(stdout) as { points: number, code: string })
    })
  })
}

async function tracesOf(id: string) {
  // The lock of a killed process ends with its connection.
  await instance.sql.begin(tx => tx`select 1 from budget where id = ${id} for update`)
  const [row] = await instance.sql`
    select status, (select count(*)::int from budget_signature where budget_id = budget.id) as signatures,
      (select count(*)::int from gate_pass where step = 'budget.accept' and payload ->> 'budget_id' = budget.id::text) as passes,
      (select count(*)::int from core_event where name = 'budget.accepted' and payload ->> 'budget_id' = budget.id::text) as events,
      (select count(*)::int from budget_access_log where budget_id = budget.id and action = 'accepted' and success) as rows,
      (select count(*)::int from budget_access_log where budget_id = budget.id and action = 'accepted' and not success) as refusals
    from budget where id = ${id}`
  return row as Record<string, unknown>
}

const NOTHING = { status: 'sent', signatures: 0, passes: 0, events: 0, rows: 0 }
const ALL = { status: 'accepted', signatures: 1, passes: 1, events: 1, rows: 1 }

describe.each([
  ['passes', 'allow', 'accepted', [0]],
  ['refuses', 'refuse', 'deposit_missing', [0, 1]],
  ['fails', 'fail', 'module_errored', [0, 1]]
] as [string, Mode, string, number[]][])('an acceptance whose guard %s, and which is killed at any point,', (_, mode, code, refusals) => {
  test('is decided with all its parts, or not at all', { timeout: 300_000 }, async () => {
    await setMode(instance, 'budget.accept', mode)
    const lived = await acceptAndDie((await aSentBudget(instance)).id, 0)
    expect(lived).toMatchObject({ code })

    let { id } = await aSentBudget(instance)
    const all = Array.from({ length: lived!.points }, (_, index) => index + 1)
    for (const at of all.filter(point => (point - 1) % EVERY === 0 || point === all.length)) {
      expect(await acceptAndDie(id, at), `point ${at}`).toBeNull()
      const { refusals: found, ...traces } = await tracesOf(id)
      expect([NOTHING, ALL], `point ${at}`).toContainEqual(traces)
      expect(refusals, `point ${at}`).toContain(found)
      if (traces.status === 'accepted' || found === 1) id = (await aSentBudget(instance)).id
    }

    await setMode(instance, 'budget.accept', 'allow')
    const { status } = await (await instance.as('admin')).post(`${BUDGETS}/${id}/accept-in-clinic`, ACCEPTANCE)
    expect(status).toBe(200)
    expect(await verify(instance)).toMatchObject({ ok: true })
  })
})

test('a process that is killed by its guard has decided nothing', async () => {
  const { id } = await aSentBudget(instance)
  await setMode(instance, 'budget.accept', 'kill')
  expect(await acceptAndDie(id, 0)).toBeNull()
  expect(await tracesOf(id)).toEqual({ ...NOTHING, refusals: 0 })
})
