import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import {
  anAcceptedBudget as accepted,
  databaseOwner,
  examine,
  removeRows,
  type Owner
} from '../support/database/database-owner.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { budgetCtx, sealNow, verify } from '../support/logs.ts'

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
const anAcceptedBudget = () => accepted(instance)

describe('a change by SQL after a budget was sent', () => {
  test('is neither shown nor accepted if it is a price, and the doctor reports it', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).body.data.totals.total).toBe('121.00')
    await asOwner(async (sql) => {
      await sql`update budget_item set price = 2100, original_price = 2100 where budget_id = ${budget.id}`
      await sql`update budget set total = 2100, original_total = 2100 where id = ${budget.id}`
    })
    const tampered = { status: 500, body: expect.objectContaining({ code: 'content_tampered' }) }
    expect(await patient.get(budget.base)).toMatchObject(tampered)
    expect(await patient.get(`${budget.base}/pdf`)).toMatchObject(tampered)
    expect(await patient.post(`${budget.base}/accept`, ACCEPTANCE)).toMatchObject(tampered)
    expect(await patient.post(`${budget.base}/reject`, { reason: 'Too cheap' })).toMatchObject(tampered)
    expect(await staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)).toMatchObject(tampered)
    expect(await staff.get(`${BUDGETS}/${budget.id}/preview`)).toMatchObject(tampered)
    expect(await verify(instance, budget.id)).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'content_tampered' }] }
    })
    expect(await named(budget)).toEqual(['content_tampered'])
    expect(await warned(budget.id)).toEqual(['content_tampered'])
  })

  test.each([
    ['another patient', `patient_id = gen_random_uuid()`],
    ['another author', `created_by = gen_random_uuid()`],
    ['a longer validity', `expires_at = expires_at + interval '1 year'`],
    ['a seal that belongs to no budget', `sent_seal = sha256('x')`],
    ['no seal', `sent_seal = null`],
    ['another clinic\'s name', `clinic_name = 'Other'`]
  ])('is neither shown nor accepted: %s', async (_, change) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).status).toBe(200) // A check that passed is not reused for the next view.
    await asOwner(sql => sql.unsafe(`update budget set ${change} where id = '${budget.id}'`))
    expect((await patient.get(budget.base)).body.code).toBe('content_tampered')
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).body.code).toBe('content_tampered')
    expect(await named(budget)).toEqual(['content_tampered'])
  })

  test.each([
    ['a line', `update budget_item set name = '{"en":"Another"}' where budget_id = '%'`],
    ['the tax of a line', `update budget_item set tax = tax + 1 where budget_id = '%'`],
    ['no line', `delete from budget_item where budget_id = '%'`],
    [
      'an additional line',
      `insert into budget_item (budget_id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax)
       select budget_id, clinic_id, 2, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax from budget_item where budget_id = '%'`
    ]
  ])('is not shown, even at the view after one that passed: %s', async (_, change) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).status).toBe(200)
    await asOwner(sql => sql.unsafe(change.replace('%', budget.id)))
    expect((await patient.get(budget.base)).body.code).toBe('content_tampered')
  })

  test('is also noticed if a renamed column changes the rows of a table and not their xmin', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).status).toBe(200)
    const swapNames = () => asOwner(sql => sql.unsafe(`
      alter table budget rename column patient_first_name to swapped;
      alter table budget rename column patient_last_name to patient_first_name;
      alter table budget rename column swapped to patient_last_name`))
    await swapNames()
    expect((await patient.get(budget.base)).body.code).toBe('content_tampered')
    await swapNames()
    expect((await patient.get(budget.base)).status).toBe(200)
  })

  test('is not hidden by the seal of another budget', async () => {
    const [one, other] = [await aSentBudget(instance), await aSentBudget(instance)]
    await asOwner(
      sql =>
        sql`update budget set sent_seal = (select sent_seal from budget where id = ${other.id}) where id = ${one.id}`
    )
    expect((await (await aVerifiedPatient(instance, one)).get(one.base)).body.code).toBe('content_tampered')
  })
})

describe('a sent budget', () => {
  test('keeps its content when the clinic is renamed or the patient record is edited', async () => {
    const record = (
      await staff.post('/api/v1/clinical/patients', { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@patient.test' })
    ).body.data
    const budget = await aSentBudget(instance, { patient_id: record.id })
    const patient = await aVerifiedPatient(instance, budget)
    const before = (await patient.get(budget.base)).body.data
    expect((await staff.patch('/api/v1/clinic', { name: 'Clínica Nueva' })).status).toBe(200)
    expect((await staff.patch(`/api/v1/clinical/patients/${record.id}`, { last_name: 'Ríos' })).status).toBe(200)
    const after = (await patient.get(budget.base)).body.data
    expect(after).toMatchObject({
      content_digest: before.content_digest,
      clinic: { name: 'Clínica Peñalver' },
      patient: { last_name: 'Ruiz' }
    })
    expect(
      (await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, content_digest: before.content_digest })).status
    ).toBe(200)
    await sealNow(instance, budget.id)
    expect(await verify(instance, budget.id)).toMatchObject({ ok: true })
  })
})

describe('the check page', () => {
  const check = async (sha256: string) =>
    (await instance.anonymous().post('/api/v1/public/documents/check', { sha256 })).body.data

  test('does not confirm a file whose fingerprint SQL wrote into the database', async () => {
    const budget = await anAcceptedBudget()
    const [row]
      = await instance.sql`select signed_pdf_sha256 as sha256, signed_pdf_key as key from budget where id = ${budget.id}`
    expect(await check(row!.sha256)).toMatchObject({ match: true })
    const forged = createHash('sha256').update('another file').digest('hex')
    await asOwner(async (sql) => {
      await sql`update budget set signed_pdf_sha256 = ${forged} where id = ${budget.id}`
      await sql`update budget_signature set document_sha256 = ${forged} where budget_id = ${budget.id}`
    })
    expect(await check(forged)).toEqual({ match: false, signed_at: null, clinic_name: null })
    expect(await named(budget)).toContain('fingerprint_mismatch')
    await asOwner(
      sql => sql`
      insert into budget_access_log (budget_id, clinic_id, seq, at, action, success, actor, detail, prev_hash, hash)
      select budget_id, clinic_id, seq + 1, now(), 'signed_pdf_ready', true, 'system', jsonb_build_object('sha256', ${forged}::text), hash, sha256('x')
      from budget_access_log where budget_id = ${budget.id} order by seq desc limit 1`
    )
    expect(await check(forged)).toMatchObject({ match: false })
  })

  test('does not confirm a file that is missing from the store, or one whose record disagrees', async () => {
    const budget = await anAcceptedBudget()
    const [row]
      = await instance.sql`select signed_pdf_sha256 as sha256, signed_pdf_key as key from budget where id = ${budget.id}`
    await asOwner(sql => sql`update budget set signed_pdf_key = 'elsewhere.pdf' where id = ${budget.id}`)
    expect(await check(row!.sha256)).toMatchObject({ match: false })
    await asOwner(sql => sql`update budget set signed_pdf_key = ${row!.key} where id = ${budget.id}`)
    expect(await check(row!.sha256)).toMatchObject({ match: true, clinic_name: expect.any(String) })
    await asOwner(
      sql => sql`update budget_signature set decided_at = decided_at - interval '1 year' where budget_id = ${budget.id}`
    )
    expect(await check(row!.sha256)).toMatchObject({ match: false })
    expect(readFileSync(join(instance.storage, 'documents', row!.key)).length).toBeGreaterThan(0)
  })
})

describe('a decision that SQL makes', () => {
  test('is reported, and so is a record that cannot be read', async () => {
    const { id: other } = await anAcceptedBudget()
    const budget = await aSentBudget(instance)
    await asOwner(async (sql) => {
      await sql`update budget set status = 'accepted', decided_at = now(), decided_via = 'remote_link', signed_pdf_status = 'pending' where id = ${budget.id}`
      await sql`
        insert into budget_signature (budget_id, clinic_id, decision, signer_name, relationship, method, content, content_digest, decided_at, time_zone, locale, patient_id, author_id)
        select id, clinic_id, 'accepted', 'Nobody', 'patient', 'click', '{}', encode(sha256('{}'), 'hex'), decided_at, time_zone, locale, patient_id, created_by from budget where id = ${budget.id}`
    })
    expect([await named(budget), await warned(budget.id)]).toEqual([['proof_unreadable'], ['proof_unreadable']])
    await asOwner(
      sql =>
        sql`update budget_signature s set content = o.content, content_digest = o.content_digest from budget_signature o where s.budget_id = ${budget.id} and o.budget_id = ${other}`
    )
    expect(await named(budget)).toEqual(['budget_changed', 'signature_changed'])
    await asOwner(sql => removeRows(sql, budget.id)) // The job of the budget's PDF has nothing to wait for.
  })

  test('is reported if no right code opened its session, even if the service wrote it', async () => {
    const budget = await aSentBudget(instance)
    const { lockOpenBudget, recordDecision } = await import('../../layers/budget/server/services/decision/decide.ts')
    const { findByToken } = await import('../../layers/budget/server/db/links.ts')
    const ctx = budgetCtx(instance)
    await aVerifiedPatient(instance, budget)
    // SQL replaces the session's row by one of the attacker's own, as if it were not bound to its token.
    const own = randomBytes(32)
    await asOwner(sql => sql`update budget_session set session_hash = ${own} where budget_id = ${budget.id}`)
    const [link] = await instance.sql`select token_hash from budget_link where budget_id = ${budget.id}`
    const found = (await findByToken(ctx.db, { token_hashes: [link!.token_hash], session_hashes: [own] }))!
    const by = { via: 'remote_link' as const, session: { ...found, token: budget.token, session: found.session! } }
    const client = { ip: '::1', ip_key: '::1', user_agent: null }
    await ctx.db.transaction(async (tx) => {
      const open = await lockOpenBudget(ctx, tx, by)
      await recordDecision(ctx, tx, open, {
        decision: 'rejected',
        by,
        client,
        locale: 'en',
        signature: { signer_name: 'Nobody', reason: 'x' }
      })
    })
    expect(await named(budget)).toEqual(['decision_without_code'])
    expect(await warned(budget.id)).toEqual(['decision_without_code'])
  })
})

describe('the record of a decision', () => {
  test.each([
    ['patient', 'patient_id'],
    ['author', 'author_id']
  ])('is reported as changed when SQL changes its %s', async (_, column) => {
    const budget = await anAcceptedBudget()
    await asOwner(sql =>
      sql.unsafe(`update budget_signature set ${column} = gen_random_uuid() where budget_id = '${budget.id}'`)
    )
    expect(await named(budget)).toEqual(['signature_changed'])
    expect(await warned(budget.id)).toEqual(['signature_changed'])
    await asOwner(sql =>
      sql.unsafe(`update budget_signature set patient_id = null, author_id = null where budget_id = '${budget.id}'`)
    )
    expect(await named(budget)).toEqual(['signature_changed'])
    expect((await staff.get(`${BUDGETS}/${budget.id}/evidence`)).body.code).toBe('fingerprint_mismatch')
  })

  test('is not valid in the budget of another patient', async () => {
    const budget = await anAcceptedBudget()
    await asOwner(sql => sql`update budget set patient_id = gen_random_uuid() where id = ${budget.id}`)
    expect(await named(budget)).toEqual(['content_tampered', 'signature_changed'])
  })
})

describe('the end of a log', () => {
  test('is still found to be moved back after the service has added rows', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.get(budget.base)
    await asOwner(async (sql) => {
      await sql`delete from budget_access_log where budget_id = ${budget.id} and seq > 2`
      await sql`update budget set log_count = 2, log_hash = (select hash from budget_access_log where budget_id = ${budget.id} and seq = 2) where id = ${budget.id}`
    })
    await (await aVerifiedPatient(instance, budget)).get(budget.base)
    expect(await named(budget)).toEqual(['log_chain_broken'])
  })
})

describe('a budget that SQL deletes with all its rows', () => {
  test('leaves a gap in the numbers, which the doctor reports', async () => {
    const budget = await anAcceptedBudget()
    await eventually(
      async () => (await instance.sql`select from core_delivery where status = 'pending'`).length === 0,
      'everything that follows'
    )
    await asOwner(sql => removeRows(sql, budget.id))
    expect(await named(budget)).toEqual(['budget_gone'])
  })

  test('differs from a draft that staff delete, which leaves a sealed note that SQL cannot forge', async () => {
    const draft = await aDraft(instance)
    expect((await staff.delete(`${BUDGETS}/${draft.id}`)).status).toBe(204)
    await aDraft(instance)
    expect(await named(draft)).toEqual([])
    await instance.sql`update budget_removed_draft set budget_id = gen_random_uuid() where budget_id = ${draft.id}`
    expect(await named(draft)).toEqual(['budget_gone'])
    await instance.sql`delete from budget_removed_draft where number = ${draft.number}`
    expect(await named(draft)).toEqual(['budget_gone'])
  })

  test('is noticed even if SQL sets the counter back, also after the next number is assigned', async () => {
    const budget = await aSentBudget(instance)
    await asOwner(async (sql) => {
      await removeRows(sql, budget.id)
      await sql`update budget_number set last = last - 1`
    })
    const year = budget.number.slice(0, 9)
    const counters = async () =>
      (await examine(instance)).filter(({ object }) => object === year).map(({ code }) => code)
    expect(await counters()).toEqual(['number_counter_changed'])
    expect((await aDraft(instance)).number).toBe(budget.number)
    expect(await counters()).toEqual(['number_counter_changed'])
  })
})
