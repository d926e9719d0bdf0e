import type { HookCtx, Tx } from '@svc/kit'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listOfPatient } from '../../layers/budget/server/db/erasure.ts'
import { headSeal } from '../../layers/budget/server/services/log/log-chain.ts'
import { logAccess } from '../../layers/budget/server/services/log/log-access.ts'
import { assertUnsent } from '../../layers/budget/server/services/log/assert-unsent.ts'
import { sealEarlierBudgets } from '../../layers/budget/server/services/proof/seal-earlier-budgets.ts'
import { trimLogs } from '../../layers/budget/server/services/log/trim-logs.ts'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anAcceptedBudget, databaseOwner, removeRows, type Owner } from '../support/database/database-owner.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { ageLog, budgetCtx, whileChanged } from '../support/logs.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const asOwner: Owner['change'] = change => databaseOwner(instance).change(change)
const named: Owner['named'] = budget => databaseOwner(instance).named(budget)
const warned: Owner['warned'] = id => databaseOwner(instance).warned(id)
const TAMPERED = { status: 500, body: { code: 'content_tampered' } }

const revise = async ({ id }: { id: string }): Promise<{ id: string, number: string }> =>
  (await staff.post(`${BUDGETS}/${id}/revise`)).body.data

async function reviseAndSend(budget: { id: string }): Promise<{ id: string, number: string }> {
  const next = await revise(budget)
  expect(await staff.post(`${BUDGETS}/${next.id}/send`, { channel: 'manual', code: '482913' })).toMatchObject({
    status: 200
  })
  return next
}

const reopen = (budget: { id: string }) =>
  asOwner(
    sql =>
      sql`update budget set status = 'sent', superseded_by_id = null, closed_at = null, closed_reason = null where id = ${budget.id}`
  )

describe('a budget that SQL sets back to draft', () => {
  const back = (sql: Instance['sql'], id: string) => sql`
    update budget set status = 'draft', sent_at = null, sent_seal = null, decided_at = null, decided_via = null,
      signed_pdf_status = 'none', signed_pdf_key = null, signed_pdf_sha256 = null where id = ${id}`

  async function expectRefused({ id }: { id: string }): Promise<void> {
    const draft = `${BUDGETS}/${id}`
    expect(await staff.delete(draft)).toMatchObject(TAMPERED)
    expect(await staff.patch(draft, { patient_notes: 'x' })).toMatchObject(TAMPERED)
    expect(await staff.post(`${draft}/send`, { channel: 'manual', code: '482913' })).toMatchObject(TAMPERED)
    expect(await staff.post(`${draft}/cancel`)).toMatchObject(TAMPERED)
  }

  test('after it was sent is reported, and cannot be deleted, edited, sent or cancelled', async () => {
    const budget = await aSentBudget(instance)
    await asOwner(sql => back(sql, budget.id))
    expect([await named(budget), await warned(budget.id)]).toEqual([['content_tampered'], ['content_tampered']])
    await expectRefused(budget)
  })

  test('after it was accepted is treated the same, even without its record', async () => {
    const budget = await anAcceptedBudget(instance)
    await asOwner(async (sql) => {
      await sql`delete from budget_signature where budget_id = ${budget.id}`
      await back(sql, budget.id)
    })
    expect(await named(budget)).toEqual(['content_tampered', 'signature_missing'])
    await expectRefused(budget)
  })

  test.each([
    ['', `log_count = 0, log_hash = null, log_seal = null`],
    [
      ' with the seal of another draft',
      `log_count = 0, log_hash = null, log_seal = (select log_seal from budget where id = $other)`
    ]
  ])('and whose log SQL deletes%s is treated the same', async (_, head) => {
    const [budget, other] = [await aSentBudget(instance), await aDraft(instance)]
    await asOwner(async (sql) => {
      await back(sql, budget.id)
      await sql`delete from budget_access_log where budget_id = ${budget.id}`
      await sql.unsafe(`update budget set ${head.replace('$other', `'${other.id}'`)} where id = '${budget.id}'`)
    })
    expect([await named(budget), await warned(budget.id)]).toEqual([['log_chain_broken'], ['log_chain_broken']])
    await expectRefused(budget)
  })

  test('is not confused with a draft that has a code, which staff can change and delete', async () => {
    const draft = await aDraft(instance)
    expect((await staff.post(`${BUDGETS}/${draft.id}/set-public-code`, { code: '482913' })).status).toBe(200)
    expect((await staff.patch(`${BUDGETS}/${draft.id}`, { patient_notes: 'x' })).status).toBe(200)
    expect([await named(draft), await warned(draft.id)]).toEqual([[], []])
    expect((await staff.delete(`${BUDGETS}/${draft.id}`)).status).toBe(204)
  })
})

test('a cancelled draft is not reported after its log was removed at the end of the retention period', async () => {
  const draft = await aDraft(instance)
  expect((await staff.post(`${BUDGETS}/${draft.id}/set-public-code`, { code: '482913' })).status).toBe(200)
  expect((await staff.post(`${BUDGETS}/${draft.id}/cancel`)).status).toBe(200)
  await ageLog(instance, draft.id, { months: 121 })
  await trimLogs(budgetCtx(instance))
  expect(await instance.sql`select rows from budget_log_checkpoint where budget_id = ${draft.id}`).toEqual([
    { rows: 1 }
  ])
  expect(await named(draft)).toEqual([])
})

describe('a version that was replaced', () => {
  test('names its successor in its sealed log, so that a successor deleted by SQL is noticed', async () => {
    const first = await aSentBudget(instance)
    const second = await reviseAndSend(first)
    expect((await staff.post(`${BUDGETS}/${second.id}/accept-in-clinic`, ACCEPTANCE)).status).toBe(200)
    expect(await named(first)).toEqual([])
    await asOwner(sql => removeRows(sql, second.id))
    expect(await named(first)).toEqual(['budget_gone'])
    await reopen(first)
    expect([await named(first), await warned(first.id)]).toEqual([
      ['budget_gone', 'content_tampered'],
      ['budget_gone', 'content_tampered']
    ])
  })

  test('is reported when SQL reopens it, and cannot be decided', async () => {
    const first = await aSentBudget(instance)
    await reviseAndSend(first)
    await reopen(first)
    expect(await named(first)).toEqual(['content_tampered'])
    const patient = await aVerifiedPatient(instance, first)
    expect(await patient.post(`${first.base}/accept`, ACCEPTANCE)).toMatchObject(TAMPERED)
    expect(await staff.post(`${BUDGETS}/${first.id}/accept-in-clinic`, ACCEPTANCE)).toMatchObject(TAMPERED)
  })

  test('is reported even if another draft left a note with its successor\'s number and version', async () => {
    const first = await aSentBudget(instance)
    const draft = await revise(first)
    expect((await staff.delete(`${BUDGETS}/${draft.id}`)).status).toBe(204)
    expect(await named(first)).toEqual([])
    const second = await reviseAndSend(first)
    await asOwner(sql => removeRows(sql, second.id))
    expect(await named(first)).toEqual(['budget_gone'])
  })

  test('is also reported when its successor is a cancelled draft', async () => {
    const first = await aSentBudget(instance)
    const second = await revise(first)
    for (const { id } of [first, second]) expect((await staff.post(`${BUDGETS}/${id}/cancel`)).status).toBe(200)
    const third = await reviseAndSend(second)
    await asOwner(async (sql) => {
      await removeRows(sql, third.id)
      await removeRows(sql, second.id)
    })
    expect(await named(first)).toEqual(['budget_gone'])
  })
})

describe('a final state', () => {
  test('cannot be changed back from cancelled by SQL', async () => {
    const budget = await aSentBudget(instance)
    expect((await staff.post(`${BUDGETS}/${budget.id}/cancel`)).status).toBe(200)
    expect(await named(budget)).toEqual([])
    await reopen(budget)
    expect(await named(budget)).toEqual(['content_tampered'])
    const patient = await aVerifiedPatient(instance, budget)
    expect(await patient.post(`${budget.base}/accept`, ACCEPTANCE)).toMatchObject(TAMPERED)
  })

  test.each([
    ['cancelled', `status = 'cancelled'`],
    ['superseded', `status = 'superseded', superseded_by_id = $draft`]
  ])('is reported when SQL wrote it: %s', async (_, change) => {
    const [budget, draft] = [await aSentBudget(instance), await aDraft(instance)]
    await asOwner(sql =>
      sql.unsafe(`update budget set ${change.replace('$draft', `'${draft.id}'`)} where id = '${budget.id}'`)
    )
    expect([await named(budget), await warned(budget.id)]).toEqual([['content_tampered'], ['content_tampered']])
  })

  test('cannot be changed back from rejected by SQL', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.post(`${budget.base}/reject`, { reason: 'Too expensive' })).status).toBe(200)
    await asOwner(async (sql) => {
      await sql`delete from budget_signature where budget_id = ${budget.id}`
      await sql`update budget set status = 'sent', decided_at = null, decided_via = null where id = ${budget.id}`
    })
    expect(await named(budget)).toEqual(['signature_missing'])
    expect(await patient.post(`${budget.base}/accept`, ACCEPTANCE)).toMatchObject(TAMPERED)
  })
})

describe('a detail of a sent budget outside its content', () => {
  let budget: SentBudget
  let patient: Caller
  beforeAll(async () => {
    budget = await aSentBudget(instance)
    patient = await aVerifiedPatient(instance, budget)
  })

  test.each([
    ['the clinic', `update budget set clinic_id = $other where id = $id`],
    ['the clinician', `update budget set professional_id = gen_random_uuid() where id = $id`],
    ['the language', `update budget set locale = 'fr' where id = $id`],
    ['the version that it revises', `update budget set revises_id = gen_random_uuid() where id = $id`],
    ['the global discount', `update budget set discount_type = 'amount', discount_value = 1 where id = $id`],
    ['the treatment of a line', `update budget_item set treatment_id = gen_random_uuid() where budget_id = $id`],
    ['the price before tax of a line', `update budget_item set unit_price = 1 where budget_id = $id`],
    ['the tax rate of a line', `update budget_item set vat = 0 where budget_id = $id`],
    ['the tax of a line', `update budget_item set tax = 0 where budget_id = $id`],
    [
      'the discount of a line',
      `update budget_item set discount_type = 'amount', discount_value = 1 where budget_id = $id`
    ]
  ])('is sealed: %s', async (_, change) => {
    const other
      = (await instance.sql`select id from core_clinic where id <> ${instance.clinic.id}`)[0]
        ?? (await instance.anotherClinic())
    const [row] = await instance.sql`select * from budget where id = ${budget.id}`
    const [line] = await instance.sql`select * from budget_item where budget_id = ${budget.id}`
    await asOwner(sql => sql.unsafe(change.replace('$other', `'${other.id}'`).replace('$id', `'${budget.id}'`)))
    expect(await patient.get(budget.base)).toMatchObject(TAMPERED)
    expect((await named(budget))[0]).toBe('content_tampered') // In another clinic the budget's number is missing too.
    await asOwner(async (sql) => {
      const columns = sql(
        row!,
        'clinic_id',
        'professional_id',
        'locale',
        'revises_id',
        'discount_type',
        'discount_value'
      )
      await sql`update budget set ${columns} where id = ${budget.id}`
      const ofLine = sql(line!, 'treatment_id', 'unit_price', 'vat', 'tax', 'discount_type', 'discount_value')
      await sql`update budget_item set ${ofLine} where id = ${line!.id}`
    })
    expect(await named(budget)).toEqual([])
  })

  test('must be the same in the record of a decision if it is the clinic', async () => {
    const decided = await anAcceptedBudget(instance)
    await asOwner(sql => sql`update budget_signature set clinic_id = gen_random_uuid() where budget_id = ${decided.id}`)
    expect(await named(decided)).toEqual(['signature_changed'])
  })
})

describe('an upgrade from a release without seals', () => {
  test('seals drafts and sent budgets as they are, so that both can still be used', async () => {
    const [draft, first, cancelled] = [await aDraft(instance), await aSentBudget(instance), await aSentBudget(instance)]
    const second = await reviseAndSend(first)
    expect((await staff.post(`${BUDGETS}/${cancelled.id}/cancel`)).status).toBe(200)
    const ctx = budgetCtx(instance)
    const findings = await whileChanged(ctx, {
      change: async (tx) => {
        await leaveAsEarlier(tx, [draft.id, first.id, second.id, cancelled.id])
        await sealEarlierBudgets({ ...ctx, db: tx } as unknown as HookCtx, '0.3.0')
        const [row] = await tx.execute<{ facts: unknown }>(sql`
          select detail - 'sent' - 'content_digest' as facts from budget_access_log where budget_id = ${first.id}::uuid and seq = 2`)
        expect(row!.facts).toEqual({ as: 'upgrade', superseded_by_id: second.id, cancelled: false })
        const [found] = await listOfPatient(tx, { clinic_id: instance.clinic.id, id: draft.patient_id })
        await assertUnsent(ctx, tx, found!)
      }
    })
    expect(findings).toEqual([])
  })

  test('seals the empty logs of drafts once', async () => {
    const draft = await aDraft(instance)
    const ctx = budgetCtx(instance)
    await whileChanged(ctx, {
      change: async (tx) => {
        const upgrade = () => sealEarlierBudgets({ ...ctx, db: tx } as unknown as HookCtx, '0.4.0')
        const mayChange = async () => {
          const [found] = await listOfPatient(tx, { clinic_id: instance.clinic.id, id: draft.patient_id })
          return await assertUnsent(ctx, tx, found!).then(() => true, () => false)
        }
        await tx.execute(sql`update budget set log_seal = null where log_count = 0`)
        await upgrade()
        expect(await mayChange()).toBe(true)
        await tx.execute(sql`update budget set log_seal = null where id = ${draft.id}::uuid`)
        await tx.execute(sql`update budget set log_seal = '' where id <> ${draft.id}::uuid and log_count = 0`)
        await upgrade()
        expect(await mayChange()).toBe(false)
      }
    })
  })

  /** Leaves of these budgets only what a release without seals stored: one row of the log for a sending. */
  async function leaveAsEarlier(tx: Tx, ids: string[]): Promise<void> {
    const ctx = budgetCtx(instance)
    const kept = sql.join(ids.map(id => sql`${id}::uuid`), sql`, `)
    for (const table of ['budget', 'budget_item', 'budget_signature', 'budget_access_log'])
      await tx.execute(sql`alter table ${sql.raw(table)} disable trigger user`)
    for (const table of ['budget_signature', 'budget_session'])
      await tx.execute(sql`delete from ${sql.raw(table)} where budget_id not in (${kept})`)
    await tx.execute(sql`delete from budget_access_log`)
    await tx.execute(sql`delete from budget where id not in (${kept})`)
    await tx.execute(sql`update budget_number set seal = null`)
    await tx.execute(sql`update budget set sent_seal = null, clinic_name = null, log_count = 0, log_hash = null, log_seal = null`)
    for (const budget_id of ids.slice(1)) {
      const head = {
        clinic_id: instance.clinic.id,
        log_count: 0,
        log_hash: null,
        log_seal: headSeal(ctx.secrets, budget_id, 0, null),
        now: new Date()
      }
      await logAccess(ctx, tx, { budget_id, action: 'link_sent', actor: 'staff', detail: { channel: 'manual' } }, head)
    }
  }
})
