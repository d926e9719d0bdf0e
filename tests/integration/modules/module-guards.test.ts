import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE, aDraft, aPatient, aProfessional, aSentBudget, aTreatment, aVerifiedPatient, BUDGETS, eventually
} from '../../support/builders.ts'
import type { Answer } from '../../support/caller.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { GATE, installModule, putModule, setMode, STEPS, type Mode, type StepName } from '../../support/modules/gate.ts'
import { verify } from '../../support/logs.ts'
import { schedule } from '../../support/modules/packages.ts'
import { aReceiver, type Receiver } from '../../support/outside/receiver.ts'

let instance: Instance
let receiver: Receiver
beforeAll(async () => {
  receiver = await aReceiver()
  instance = await anInstance()
  await installModule(instance, 'gate', GATE)
})
afterAll(async () => {
  await instance.close()
  await receiver.close()
})
afterEach(() => instance.sql`update gate_rule set mode = 'allow'`)

const staff = () => instance.as('admin')

/** A budget that its patient has opened. */
async function open() {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  return { ...budget, patient, accept: () => patient.post(`${budget.base}/accept`, ACCEPTANCE) }
}

/** The stored rows of a decision. */
async function tracesOf(id: string) {
  const [row] = await instance.sql`
    select status, decided_at is not null as decided, withdrawn_at is not null as withdrawn,
      (select count(*)::int from budget_signature where budget_id = budget.id) as signatures,
      (select count(*)::int from core_event where payload ->> 'budget_id' = budget.id::text
        and name in ('budget.sent', 'budget.accepted', 'budget.rejected', 'budget.withdrawn')) as events,
      (select count(*)::int from gate_pass where payload ->> 'budget_id' = budget.id::text) as passes
    from budget where id = ${id}`
  return row
}

const refusalsOf = (id: string) => instance.sql`
  select action, actor, detail from budget_access_log where budget_id = ${id} and not success order by seq`

interface Try { id: string, attempt: () => Promise<Answer> }
/** Prepares each step and returns how to try it. */
const TRIES: Record<StepName, () => Promise<Try>> = {
  async 'budget.send'() {
    const { id } = await aDraft(instance)
    return { id, attempt: async () => await (await staff()).post(`${BUDGETS}/${id}/send`, { channel: 'manual', code: '482913' }) }
  },
  async 'budget.accept'() {
    const { id, accept } = await open()
    return { id, attempt: accept }
  },
  async 'budget.reject'() {
    const { id, base, patient } = await open()
    return { id, attempt: () => patient.post(`${base}/reject`, { reason: 'Too dear.', reason_code: 'price' }) }
  },
  async 'budget.withdraw'() {
    const { id, accept } = await open()
    await accept()
    const body = { requested_by: 'patient', reason: 'Moved away.' }
    return { id, attempt: async () => await (await staff()).post(`${BUDGETS}/${id}/withdraw`, body) }
  },
  async 'billing.issue'() {
    const { id, accept } = await open()
    await accept()
    const invoice = await eventually(async () => {
      const [row] = await instance.sql`select id from billing_invoice where budget_id = ${id}`
      return row
    }, 'the draft of the invoice')
    return { id, attempt: async () => await (await staff()).post(`${INVOICES}/${invoice.id}/issue`) }
  }
}

describe('a guard that returns normally', () => {
  test.each(STEPS)('allows %s, and what it wrote commits with the decision', async (step) => {
    const { id, attempt } = await TRIES[step]()
    const before = await tracesOf(id)
    expect((await attempt()).status).toBe(200)
    expect((await tracesOf(id))!.passes).toBe(before!.passes + 1)
  })

  test('gets what is decided: the budget, its price, and how', async () => {
    const { id, number, accept } = await open()
    await accept()
    const [row] = await instance.sql`select payload from gate_pass where payload ->> 'budget_id' = ${id} order by id desc`
    const [{ patient_id }] = await instance.sql`select patient_id from budget where id = ${id}` as any
    expect(row!.payload).toEqual({
      clinic_id: instance.clinic.id, budget_id: id, budget_number: number, version: 1, patient_id,
      total: '121.00', currency: 'EUR', via: 'remote_link', locale: 'es',
      content_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      items: [expect.objectContaining({ quantity: 1, price: '121.00' })]
    })
  })

  test('is not called for a decision that is refused anyway', async () => {
    const { id, accept } = await open()
    await accept()
    const { passes } = (await tracesOf(id))!
    expect((await accept()).body.code).toBe('already_decided')
    expect((await tracesOf(id))!.passes).toBe(passes)
  })

  test('can have a statement fail in an inner transaction', async () => {
    await setMode(instance, 'budget.accept', 'fail_inside')
    expect((await (await open()).accept()).status).toBe(200)
  })
})

describe('a guard’s problem', () => {
  test.each(STEPS)('refuses %s with its own status, title and text, and the module’s name', async (step) => {
    const { id, attempt } = await TRIES[step]()
    const before = await tracesOf(id)
    await setMode(instance, step, 'refuse')
    const { status, body } = await attempt()
    expect([status, body]).toEqual([402, {
      type: 'urn:svc:problem:deposit_missing',
      title: 'Deposit missing',
      status: 402,
      detail: 'Please pay 50.00 first.',
      code: 'deposit_missing',
      amount: '50.00',
      module: 'gate',
      request_id: expect.any(String)
    }])
    expect(await tracesOf(id)).toEqual(before)
    await setMode(instance, step, 'allow')
    expect((await attempt()).status).toBe(200)
  })

  test.each([
    ['budget.send', 'link_sent', 'staff'],
    ['budget.accept', 'accepted', 'patient'],
    ['budget.reject', 'rejected', 'patient'],
    ['budget.withdraw', 'withdrawn', 'staff']
  ] as const)('is logged in the budget’s log with module and code: %s', async (step, action, actor) => {
    const { id, attempt } = await TRIES[step]()
    await setMode(instance, step, 'refuse')
    await attempt()
    await attempt()
    const row = { action, actor, detail: { module: 'gate', code: 'deposit_missing' } }
    expect(await refusalsOf(id)).toEqual([row, row])
    await setMode(instance, step, 'allow')
    expect((await attempt()).status).toBe(200)
    expect(await verify(instance, id)).toMatchObject({ ok: true })
  })

  test('is logged in the audit log if it refuses to issue an invoice', async () => {
    const { attempt } = await TRIES['billing.issue']()
    await setMode(instance, 'billing.issue', 'refuse')
    await attempt()
    const { body } = await (await staff()).get('/api/v1/audit?action=step_refused')
    expect(body.data[0]).toMatchObject({
      action: 'step_refused',
      target: { kind: 'invoice' },
      detail: { step: 'billing.issue', module: 'gate', code: 'deposit_missing' }
    })
  })

  test('has the text of the table if it has none of its own', async () => {
    const { accept } = await open()
    await setMode(instance, 'budget.accept', 'refuse_by_table')
    expect((await accept()).body).toMatchObject({ status: 402, detail: 'The deposit is missing.', module: 'gate' })
  })

  test('can be one of the host’s, with its own text', async () => {
    const { accept } = await open()
    await setMode(instance, 'budget.accept', 'refuse_by_host')
    expect((await accept()).body).toMatchObject({ status: 409, code: 'wrong_state', detail: 'Not on a Sunday.', module: 'gate' })
  })

  test('also refuses a decision in the clinic', async () => {
    const { id } = await aSentBudget(instance)
    const accept = async () => await (await staff()).post(`${BUDGETS}/${id}/accept-in-clinic`, ACCEPTANCE)
    await setMode(instance, 'budget.accept', 'refuse')
    expect((await accept()).body).toMatchObject({ status: 402, code: 'deposit_missing', module: 'gate' })
    expect(await refusalsOf(id)).toEqual([
      { action: 'accepted', actor: 'staff', detail: { module: 'gate', code: 'deposit_missing' } }
    ])
    await setMode(instance, 'budget.accept', 'allow')
    expect((await accept()).status).toBe(200)
  })
})

describe('a guard that fails', () => {
  const FAILURES: [Mode, string][] = [
    ['throw', 'throws'],
    ['refuse_as_other', 'throws a problem of another module'],
    ['hang', 'hangs'],
    ['block', 'blocks the event loop'],
    ['sleep', 'waits in the database'],
    ['fail', 'fails in SQL'],
    ['fail_and_catch', 'catches its error of SQL, after which the transaction is aborted'],
    ['forget', 'does not wait for a statement that fails'],
    ['forget_inside', 'does not wait for a transaction inside'],
    ['commit', 'would end the transaction'],
    ['call', 'calls out'],
    ['call_and_catch', 'calls out and hides that it could not'],
    ['connect', 'calls out by another library'],
    ['mail', 'sends an email'],
    ['channel', 'sends a message by a channel and hides that it could not']
  ]

  test.each(FAILURES)('leaves everything undecided: 503 module_errored (%s: it %s)', async (mode) => {
    const { id, accept } = await open()
    const before = await tracesOf(id)
    await setMode(instance, 'budget.accept', mode, `${receiver.url}/called`)
    expect((await accept()).body).toMatchObject({ status: 503, code: 'module_errored', module: 'gate' })
    expect(await tracesOf(id)).toEqual(before)
    expect(await refusalsOf(id)).toEqual([
      { action: 'accepted', actor: 'patient', detail: { module: 'gate', code: 'module_errored' } }
    ])
    await setMode(instance, 'budget.accept', 'allow')
    expect((await accept()).status).toBe(200)
  })

  test('has made no call and sent no email', () => {
    expect(receiver.received).toEqual([])
    const outbox = join(instance.storage, 'outbox')
    const mails = existsSync(outbox) ? readdirSync(outbox).map(file => readFileSync(join(outbox, file), 'utf8')) : []
    expect(mails.filter(text => text.includes('someone@else.test'))).toEqual([])
  })

  test('is detected even if its call needs no new connection', async () => {
    await (await fetch(`${receiver.url}/before`)).text() // the connection stays open
    const { id, accept } = await open()
    await setMode(instance, 'budget.accept', 'call_again', `${receiver.url}/again`)
    expect((await accept()).body).toMatchObject({ status: 503, code: 'module_errored' })
    expect((await tracesOf(id))!.status).toBe('sent')
  })

  test('can write nothing after its time is over, not even in another transaction', async () => {
    const { accept } = await open()
    await setMode(instance, 'budget.accept', 'write_late')
    expect((await accept()).status).toBe(503)
    const late = await (globalThis as unknown as { gate_late: Promise<PromiseSettledResult<unknown>[]> }).gate_late
    expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await instance.sql`select 1 from gate_pass where step = 'late'`).toEqual([])
  })

  test('leaves no connection with its own time limit', async () => {
    await setMode(instance, 'budget.accept', 'allow')
    await (await open()).accept()
    const { host } = instance.runtime
    const limits = await Promise.all(Array.from({ length: 12 }, () =>
      host.db.transaction(async tx => (await tx.execute<{ statement_timeout: string }>('show statement_timeout'))[0]!)
    ))
    expect(new Set(limits.map(row => row.statement_timeout))).toEqual(new Set(['0']))
  })
})

test('a guard allows one of fifty acceptances at once, and only that one is decided', async () => {
  const admin = await staff()
  const shared = {
    patient_id: (await aPatient(admin)).id,
    professional_id: (await aProfessional(instance)).id,
    items: [{ treatment_id: (await aTreatment(admin)).id }]
  }
  const budgets = await Promise.all(Array.from({ length: 50 }, () => aSentBudget(instance, shared)))
  await setMode(instance, 'seat', 'allow', 'free')
  await setMode(instance, 'budget.accept', 'one_seat')
  const answers = await Promise.all(
    budgets.map(({ id }) => admin.post(`${BUDGETS}/${id}/accept-in-clinic`, ACCEPTANCE))
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'deposit_missing')).toHaveLength(49)
  const ids = budgets.map(({ id }) => id)
  const decided = await instance.sql`select id from budget where id = any(${ids}) and status = 'accepted'`
  expect(decided).toHaveLength(1)
  expect(await instance.sql`select 1 from budget_signature where budget_id = any(${ids})`).toHaveLength(1)
  const rows = await instance.sql`
    select 1 from budget_access_log where budget_id = any(${ids}) and action = 'accepted' and not success`
  expect(rows).toHaveLength(49)
})

test('one of fifty acceptances of a guarded budget at once is decided, and the others get its decision', async () => {
  const { id, accept } = await open()
  const answers = await Promise.all(Array.from({ length: 50 }, accept))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
  expect(await tracesOf(id)).toMatchObject({ signatures: 1, passes: 2 }) // including that of the sending
})

describe('guards of several modules', () => {
  const SECOND = {
    depends: ['gate', 'budget'],
    svc: { guards: ['budget.accept'] },
    code: `export default {
      problems: { second: { status: 409, title: 'The second refuses' } },
      before: {
        async 'budget.accept'(ctx, step) {
          const passes = await ctx.use('gate').passes()
          const seen = passes.some(({ payload }) => payload.budget_id === step.payload.budget_id)
          throw ctx.problem('second', { seen, currency: step.payload.currency })
        }
      }
    }`
  }

  test('are called in the order of their dependencies, in one transaction, each with the owner’s payload', async () => {
    await installModule(instance, 'second', SECOND)
    const { id, accept } = await open()
    await setMode(instance, 'budget.accept', 'change')
    expect((await accept()).body).toMatchObject({
      status: 409, title: 'The second refuses', detail: 'The second refuses.', module: 'second', seen: true, currency: 'EUR'
    })
    expect((await tracesOf(id))!.passes).toBe(1) // that of the sending
    await setMode(instance, 'budget.accept', 'refuse')
    expect((await accept()).body.module).toBe('gate')
  })

  test('refuse what they guard while their module does not run, until it is fixed or uninstalled', async () => {
    putModule(instance, 'second', { ...SECOND, code: 'throw new Error(\'broken\')' })
    await instance.restart()
    const { id, base, patient, accept } = await open()
    expect((await accept()).body).toMatchObject({ status: 503, code: 'module_errored', module: 'second' })
    expect(await tracesOf(id)).toMatchObject({ status: 'sent', passes: 1 })
    expect(await refusalsOf(id)).toEqual([
      { action: 'accepted', actor: 'patient', detail: { module: 'second', code: 'module_errored' } }
    ])
    expect((await patient.post(`${base}/reject`, { reason: 'No.' })).status).toBe(200) // it guards only the acceptance

    putModule(instance, 'second', { ...SECOND, code: 'export default { before: { async \'budget.accept\'() {} } }' })
    await instance.restart()
    expect((await (await open()).accept()).status).toBe(200)
  })

  test.each([
    ['is missing from the manifest', { guards: [] }, `{ async 'budget.accept'() {} }`, /guards of its manifest/],
    ['is missing from the entry', { guards: ['budget.accept'] }, '{}', /before of its entry does not have/],
    ['is for an unknown step', { guards: ['budget.acept'] }, `{ async 'budget.acept'() {} }`, /does not have as a step/]
  ])('prevent their module from starting if one %s', async (_, svc, before, reason) => {
    putModule(instance, 'second', { ...SECOND, svc, code: `export default { before: ${before} }` })
    await instance.restart()
    const [row] = await instance.sql`select error_message from core_module where name = 'second'`
    expect(row!.error_message).toMatch(reason)
    expect((await (await open()).accept()).body).toMatchObject({ code: 'module_errored', module: 'second' })
  })

  test('are shown before an install with the steps that they can refuse', async () => {
    putModule(instance, 'third', { ...SECOND, svc: { guards: ['budget.accept', 'billing.issue'] } })
    const { answer } = await schedule(instance, 'install', 'third', { dry_run: true })
    expect(answer.message).toContain('third can refuse: budget.accept, billing.issue.')
  })
})

test('only its owner can check a step, not another module', async () => {
  const { db, registry } = instance.runtime.host
  const { ctx } = registry.get('gate')!
  await expect(db.transaction(tx => ctx.steps.check<string>(tx, 'budget.accept', {}))).rejects.toThrow('has no step')
})

test('a payload that does not match its schema is an error of the owner', async () => {
  const { db, registry } = instance.runtime.host
  const { ctx } = registry.get('billing')!
  await expect(db.transaction(tx => ctx.steps.check<string>(tx, 'billing.issue', { total: 1 })))
    .rejects.toThrow(/payload of billing\.issue does not fit/)
})
