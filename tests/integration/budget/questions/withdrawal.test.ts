import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { INVOICES } from '../../../support/documents/invoices.ts'
import { loadDocuments } from '../../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { ageLog, budgetCtx, sealNow, verify, whileChanged } from '../../../support/logs.ts'

const WITHDRAWAL = { requested_by: 'patient', reason: 'Lucía moves away.' }

let instance: Instance
let staff: Caller
beforeAll(async () => {
  await loadDocuments()
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const withdraw = (id: string, body: object = WITHDRAWAL) => staff.post(`${BUDGETS}/${id}/withdraw`, body)
const invoiceOf = async (id: string) => (await staff.get(`${INVOICES}?budget_id=${id}`)).body.data[0]
const waiting = async () => (await staff.get('/api/v1/budget/attention')).body.data.withdrawn_invoiced.budgets
const pending = async () =>
  (await instance.sql`select 1 from core_delivery where module_name = 'billing' and status = 'pending'`).length
const allDelivered = () => eventually(async () => await pending() === 0, 'delivery of everything')

async function accepted(): Promise<SentBudget & { patient: Caller }> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  await sealNow(instance, budget.id)
  return { ...budget, patient }
}
const removeInvoice = (id: string) => instance.sql.begin(async (tx) => {
  await tx`set local session_replication_role = replica`
  await tx`delete from billing_invoice_line where invoice_id in (select id from billing_invoice where budget_id = ${id})`
  await tx`delete from billing_invoice where budget_id = ${id}`
})
/** Does what the delivery of the event does. */
function handleAcceptance(id: string) {
  const { definition, ctx } = instance.runtime.host.registry.get('billing')!
  return definition.on!['budget.accepted']!({ payload: { clinic_id: instance.clinic.id, budget_id: id } } as never, ctx)
}
const withDraft = async () => {
  const budget = await accepted()
  await eventually(() => invoiceOf(budget.id), 'the draft invoice')
  return budget
}

describe('withdrawing an acceptance', () => {
  test('is stamped, logged and published, and state, record and signed PDF are kept', async () => {
    const { id, base, patient } = await accepted()
    const { status, body } = await withdraw(id)
    expect([status, body.data]).toMatchObject([
      200,
      {
        status: 'accepted',
        withdrawn_at: expect.any(String),
        withdrawal: { requested_by: 'patient', reason: WITHDRAWAL.reason, by: { name: expect.any(String) } },
        proof_faults: []
      }
    ])
    const { withdrawn_at } = body.data
    const [row] = (await staff.get(`${BUDGETS}/${id}/access-log`)).body.data
    expect(row).toMatchObject({
      action: 'withdrawn',
      actor: 'staff',
      detail: { requested_by: 'patient', reason: WITHDRAWAL.reason }
    })
    const [event] = await instance.sql`
      select payload from core_event where name = 'budget.withdrawn' and payload->>'budget_id' = ${id}`
    expect(event!.payload).toMatchObject({ withdrawn_at, requested_by: 'patient' })
    expect(JSON.stringify(event!.payload)).not.toContain('moves away')
    expect((await staff.get(`${BUDGETS}?search=${body.data.number}`)).body.data).toMatchObject([
      { status: 'accepted', withdrawn_at }
    ])
    const view = (await patient.get(base)).body.data
    expect(view).toMatchObject({ status: 'accepted', withdrawn_at })
    expect(JSON.stringify(view)).not.toContain('moves away')
    expect((await patient.get(`${base}/pdf/signed`)).status).toBe(200)
    expect((await verify(instance, id)).text).toContain('All hold.')
  })

  test('is possible only once', async () => {
    const { id } = await accepted()
    const answers = await Promise.all([withdraw(id), withdraw(id), withdraw(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await withdraw(id)).body.code).toBe('already_withdrawn')
  })

  test('is possible only for an accepted budget', async () => {
    const budget = await aSentBudget(instance)
    expect((await withdraw(budget.id)).body.code).toBe('wrong_state')
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/reject`, { reason: 'No' })
    expect((await withdraw(budget.id)).body.code).toBe('wrong_state')
  })

  test.each([
    ['without a reason', { requested_by: 'patient' }, '/reason'],
    ['with an empty reason', { requested_by: 'patient', reason: ' ' }, '/reason'],
    ['with a reason of more than 2000 characters', { requested_by: 'patient', reason: 'x'.repeat(2001) }, '/reason'],
    ['without a requester', { reason: 'No' }, '/requested_by'],
    ['with an unknown requester', { requested_by: 'clinic', reason: 'No' }, '/requested_by']
  ])('%s is 422', async (_, body, pointer) => {
    const { id } = await accepted()
    const refused = await withdraw(id, body)
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer])
  })

  test('is part of the evidence, and its reason is erased with the patient\'s data', async () => {
    const { id } = await accepted()
    const { patient_id } = (await withdraw(id)).body.data
    const record = async () => {
      const { bytes } = await staff.get(`${BUDGETS}/${id}/evidence`)
      return JSON.parse(strFromU8(unzipSync(bytes)['withdrawal.json']!))
    }
    expect(await record()).toMatchObject({ requested_by: 'patient', reason: WITHDRAWAL.reason })
    await allDelivered()
    const erased = await staff.post(`/api/v1/clinic/persons/${patient_id}/erase`, { dry_run: false })
    expect([erased.status, erased.body.detail]).toEqual([200, undefined])
    expect(await record()).toMatchObject({ requested_by: 'patient', reason: null })
    expect((await staff.get(`${BUDGETS}/${id}`)).body.data).toMatchObject({ withdrawal: { reason: null } })
    expect((await verify(instance, id)).text).toContain('All hold.')
  })

  test('is shown on the check page; a row that SQL changed can neither hide nor add a withdrawal', async () => {
    const [one, other] = [await accepted(), await accepted()]
    const check = async (id: string) => {
      const [row] = await instance.sql`select signed_pdf_sha256 as sha256 from budget where id = ${id}`
      return (await instance.anonymous().post('/api/v1/public/documents/check', { sha256: row!.sha256 })).body.data
    }
    expect(await check(one.id)).not.toHaveProperty('withdrawn_at')
    const { withdrawn_at } = (await withdraw(one.id)).body.data
    expect(await check(one.id)).toEqual({
      match: true, signed_at: expect.any(String), clinic_name: expect.any(String), withdrawn_at
    })
    const set = (change: object, id: string) => instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update budget set ${tx(change as never)} where id = ${id}`
    })
    const [row] = await instance.sql`
      select withdrawn_at, withdrawn_by, withdrawal_requested_by, withdrawal_reason from budget where id = ${one.id}`
    await set(Object.fromEntries(Object.keys(row!).map(name => [name, null])), one.id)
    expect((await check(one.id)).withdrawn_at).toBe(withdrawn_at)
    await set(row!, one.id)
    await set(row!, other.id)
    const stands = { match: true, signed_at: expect.any(String), clinic_name: expect.any(String) }
    expect(await check(other.id)).toEqual(stands)
  })

  test('that SQL made, moved or reverted is found, even after the log is trimmed', async () => {
    const { id } = await accepted()
    await withdraw(id)
    await expect(
      instance.sql`update budget set withdrawn_at = null where id = ${id}`.then(() => null)
    ).rejects.toThrow(/withdrawn, and once/)
    const changes = [
      sql`withdrawn_at = null, withdrawn_by = null, withdrawal_requested_by = null, withdrawal_reason = null`,
      sql`withdrawn_at = withdrawn_at - interval '1 day'`,
      sql`withdrawal_requested_by = 'guardian'`
    ]
    const found = (change: ReturnType<typeof sql>, which = id) => whileChanged(budgetCtx(instance), {
      which: { id: which },
      change: async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`)
        await tx.execute(sql`update budget set ${change} where id = ${which}::uuid`)
      }
    })
    for (const change of [...changes, sql`withdrawal_reason = 'x'`])
      expect(await found(change)).toMatchObject([{ code: 'withdrawal_changed' }])
    const other = await accepted()
    expect(await found(sql`withdrawn_at = now()`, other.id)).toMatchObject([{ code: 'withdrawal_changed' }])

    await staff.patch('/api/v1/clinic', { retention: { access_log_months: 12 } })
    await ageLog(instance, id, { months: 120 })
    await instance.runtime.host.registry
      .get('budget')!.definition.jobs!['trim-logs']!.run({}, budgetCtx(instance), { attempt: 1 })
    expect((await staff.get(`${BUDGETS}/${id}/access-log`)).body.data).toEqual([])
    expect((await verify(instance, id)).text).toContain('All hold.')
    for (const change of changes) expect(await found(change)).toMatchObject([{ code: 'withdrawal_changed' }])
  })
})

describe('the invoice of a withdrawn budget', () => {
  test('is cancelled while it is a draft, and cannot be issued', async () => {
    const { id } = await withDraft()
    const draft = await invoiceOf(id)
    await withdraw(id)
    expect((await staff.post(`${INVOICES}/${draft.id}/issue`, {})).body.code).toBe('wrong_state')
    await eventually(async () => (await invoiceOf(id)).status === 'cancelled', 'the cancellation')
    expect((await staff.post(`${INVOICES}/${draft.id}/issue`, {})).body.code).toBe('wrong_state')
    expect(
      (await staff.post(`${INVOICES}/${draft.id}/payments`, { amount: '1.00', method: 'cash' })).body.code
    ).toBe('wrong_state')
    expect((await waiting()).map((row: { id: string }) => row.id)).not.toContain(id)
  })

  test('needs attention once it is issued, until it is cancelled', async () => {
    const { id } = await withDraft()
    const { id: invoice } = await invoiceOf(id)
    await staff.post(`${INVOICES}/${invoice}/issue`, {})
    await withdraw(id)
    await allDelivered()
    expect(await invoiceOf(id)).toMatchObject({ status: 'issued' })
    expect(await waiting()).toMatchObject([{ id }])
    await staff.post(`${INVOICES}/${invoice}/cancel`, { reason: 'Withdrawn' })
    expect(await waiting()).toEqual([])
  })

  test('is not drafted when the acceptance is handled after the withdrawal', async () => {
    const { id } = await withDraft()
    await withdraw(id)
    await allDelivered()
    await removeInvoice(id)
    await handleAcceptance(id)
    expect(await invoiceOf(id)).toBeUndefined()
  })

  test('is cancelled when the withdrawal came while it was being drafted', async () => {
    const { id } = await withDraft()
    await allDelivered()
    await removeInvoice(id)
    let drafting: unknown
    await instance.sql.begin(async (tx) => {
      await tx`lock table billing_invoice in share row exclusive mode`
      drafting = handleAcceptance(id)
      const isHeld = async () => (await instance.sql`
        select 1 from pg_locks where relation = 'billing_invoice'::regclass and not granted`).length > 0
      await eventually(isHeld, 'the draft that waits')
      await withdraw(id)
      await allDelivered()
    })
    await drafting
    expect(await invoiceOf(id)).toMatchObject({ status: 'cancelled' })
    expect((await waiting()).map((row: { id: string }) => row.id)).not.toContain(id)
  })
})

test('reports exclude withdrawn amounts from accepted ones and list them separately', async () => {
  const totals = async () => (await staff.get('/api/v1/reports/acceptance')).body.data.totals
  const { id } = await accepted()
  const before = await totals()
  const { totals: { total } } = (await withdraw(id)).body.data
  const after = await totals()
  const cents = (text: string) => Math.round(Number(text) * 100)
  expect(after.withdrawn).toBe(before.withdrawn + 1)
  expect(cents(after.accepted_amount)).toBe(cents(before.accepted_amount) - cents(total))
  expect(cents(after.withdrawn_amount)).toBe(cents(before.withdrawn_amount) + cents(total))
})
