import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  BUDGETS,
  type SentBudget
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  // Created once, with a list of the budgets that it refuses, so that no trigger is added or dropped while jobs run.
  await instance.sql`create table refused (budget_id text not null)`
  await instance.sql`create function refuse() returns trigger language plpgsql as $$ begin
    if new.name = 'budget.accepted' and exists (select from refused where budget_id = new.payload->>'budget_id') then raise 'disk full'; end if; return new; end $$`
  await instance.sql`create trigger refuse before insert on core_event for each row execute function refuse()`
})
afterAll(() => instance.close())

const eventsOf = async (id: string, name: string) =>
  (await instance.sql`select payload from core_event where name = ${name} and payload->>'budget_id' = ${id}`).map(
    row => row.payload
  )
const logOf = async (id: string) => instance.sql`select * from budget_access_log where budget_id = ${id} order by seq`
const signatureOf = async (id: string) =>
  (await instance.sql`select * from budget_signature where budget_id = ${id}`)[0]
const statusOf = async (id: string) => (await instance.sql`select status from budget where id = ${id}`)[0]!.status

async function open(fields: Record<string, unknown> = {}) {
  const budget = await aSentBudget(instance, fields)
  const patient = await aVerifiedPatient(instance, budget)
  return {
    budget,
    patient,
    accept: (body: unknown = ACCEPTANCE) => patient.post(`${budget.base}/accept`, body),
    reject: (body: unknown) => patient.post(`${budget.base}/reject`, body)
  }
}

function aDrawing(paint = (x: number, y: number) => Math.abs(x / 2 - y) < 2): string {
  const image = new PNG({ width: 120, height: 60 })
  for (let y = 0; y < 60; y++)
    for (let x = 0; x < 120; x++) if (paint(x, y)) image.data.set([10, 10, 40, 255], (y * 120 + x) * 4)
  return `data:image/png;base64,${PNG.sync.write(image).toString('base64')}`
}

/** Moves the end as the passing of time would. The database refuses any other change of it. */
async function pass(budget: SentBudget, seconds: number) {
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget set expires_at = now() - make_interval(secs => ${seconds}) where id = ${budget.id}`
  })
}

describe('accepting', () => {
  test('writes the decision, record, log row, event and the PDF\'s job together', async () => {
    const { budget, patient } = await open()
    const view = (await patient.get(budget.base)).body.data
    const askedAt = Date.now()
    const answer = await patient.post(
      `${budget.base}/accept?locale=en`,
      {
        signer_name: '  Lucía <b>Muñoz</b> ',
        relationship: 'guardian',
        signature: { method: 'typed' },
        consent: true,
        content_digest: view.content_digest
      },
      { headers: { 'user-agent': 'Firefox' } }
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: { status: 'accepted', decided_at: expect.stringMatching(/Z$/), signed_pdf: { status: 'pending' } }
    })
    const { decided_at } = answer.body.data
    expect(Date.parse(decided_at)).toBeGreaterThan(askedAt - 5000)
    expect(Date.parse(decided_at)).toBeLessThan(Date.now() + 5000)

    const record = await signatureOf(budget.id)
    expect(record).toMatchObject({
      decision: 'accepted',
      signer_name: 'Lucía <b>Muñoz</b>',
      relationship: 'guardian',
      method: 'typed',
      image: null,
      consent_version: '2026-11',
      consent_text: expect.stringMatching(/^I have read this budget of .+ and accept it for .+\.$/),
      reason: null,
      content_digest: view.content_digest,
      ip: '127.0.0.1',
      user_agent: 'Firefox',
      witness_id: null,
      time_zone: 'Europe/Madrid',
      locale: 'en'
    })
    const [row] = await instance.sql`select status, decided_at, decided_via from budget where id = ${budget.id}`
    expect(row).toMatchObject({ status: 'accepted', decided_at: new Date(decided_at), decided_via: 'remote_link' })
    expect((await logOf(budget.id)).find(entry => entry.action === 'accepted')).toMatchObject({
      actor: 'patient',
      user_id: null,
      success: true
    })
    const [item] = await instance.sql`select * from budget_item where budget_id = ${budget.id}`
    expect(await eventsOf(budget.id, 'budget.accepted')).toEqual([
      {
        event_id: expect.any(String),
        occurred_at: expect.any(String),
        clinic_id: instance.clinic.id,
        budget_id: budget.id,
        budget_number: budget.number,
        version: 1,
        patient_id: expect.any(String),
        decided_at,
        accepted_via: 'remote_link',
        signature_id: record!.id,
        total: '121.00',
        currency: 'EUR',
        content_digest: view.content_digest,
        items: [{ item_id: item!.id, treatment_id: item!.treatment_id, code: item!.code, quantity: 1, price: '121.00' }]
      }
    ])
    expect((await patient.get(budget.base)).body.data).toMatchObject({
      status: 'accepted',
      decision: { status: 'accepted', decided_at, signer_name: 'Lucía <b>Muñoz</b>', reason: null },
      content_digest: view.content_digest
    })
  })

  test('succeeds for exactly one of parallel accepts and rejects; the others get its decision', async () => {
    const { budget, patient, accept, reject } = await open()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? accept() : reject({ reason: `no ${i}` })))
    )
    const winners = answers.filter(answer => answer.status === 200)
    expect(winners).toHaveLength(1)
    const { decision } = (await patient.get(budget.base)).body.data
    expect(decision.status).toBe(winners[0]!.body.data.status)
    for (const { status, body } of answers.filter(answer => answer.status !== 200)) {
      expect({ status, code: body.code, decision: body.decision }).toEqual({
        status: 409,
        code: 'already_decided',
        decision
      })
    }
    const events = [...await eventsOf(budget.id, 'budget.accepted'), ...await eventsOf(budget.id, 'budget.rejected')]
    expect(events).toHaveLength(1)
    expect(await instance.sql`select 1 from budget_signature where budget_id = ${budget.id}`).toHaveLength(1)
    expect((await logOf(budget.id)).filter(row => ['accepted', 'rejected'].includes(row.action))).toHaveLength(1)
    await expect(instance.sql`delete from budget_item where budget_id = ${budget.id}`).rejects.toThrow(/immutable/)
  })

  test('is atomic: if its event cannot be written, nothing is written', async () => {
    const { budget, accept } = await open()
    const rows = (await logOf(budget.id)).length
    await instance.sql`insert into refused values (${budget.id})`
    const failed = await accept()
    await instance.sql`delete from refused`
    expect(failed.body).toMatchObject({ status: 500, code: 'internal_error' })
    expect(failed.bytes.toString()).not.toContain('disk full')
    expect([await statusOf(budget.id), await signatureOf(budget.id), (await logOf(budget.id)).length]).toEqual([
      'sent',
      undefined,
      rows
    ])
    expect((await accept()).status).toBe(200)
  })

  test('stores a drawn signature as an image that the service encoded itself', async () => {
    const { budget, accept } = await open()
    const image = aDrawing()
    expect((await accept({ ...ACCEPTANCE, signature: { method: 'drawn', image } })).status).toBe(200)
    const record = await signatureOf(budget.id)
    expect(PNG.sync.read(record!.image).data).toEqual(PNG.sync.read(Buffer.from(image.split(',')[1]!, 'base64')).data)
    const { body } = await staff.get(`${BUDGETS}/${budget.id}/signature`)
    expect(body.data.image).toBe(`data:image/png;base64,${record!.image.toString('base64')}`)
  })

  test.each([
    ['without a name', { signer_name: undefined }, '/signer_name'],
    ['with a blank name', { signer_name: ' \u200B ' }, '/signer_name'],
    ['with a control character in the name', { signer_name: 'Ana\u0007' }, '/signer_name'],
    ['with a right-to-left override in the name', { signer_name: 'Ana\u202Egpj' }, '/signer_name'],
    ['with a name that isn\'t text', { signer_name: ['Ana'] }, '/signer_name'],
    ['with a name of 201 characters', { signer_name: 'x'.repeat(201) }, '/signer_name'],
    ['without consent', { consent: false }, '/consent'],
    ['with a consent of another type', { consent: 'true' }, '/consent'],
    ['with an unknown relationship', { relationship: 'friend' }, '/relationship'],
    ['without a signature', { signature: undefined }, '/signature'],
    ['with an unknown method', { signature: { method: 'voice' } }, '/signature/method'],
    ['drawn without an image', { signature: { method: 'drawn' } }, '/signature/image'],
    ['clicked with an image', { signature: { method: 'click', image: aDrawing() } }, '/signature/image'],
    ['with a blank image', { signature: { method: 'drawn', image: aDrawing(() => false) } }, '/signature/image'],
    [
      'with an invalid image',
      { signature: { method: 'drawn', image: 'data:image/svg+xml;base64,PHN2Zy8+' } },
      '/signature/image'
    ],
    [
      'with an image above 200 kB',
      { signature: { method: 'drawn', image: `data:image/png;base64,${'A'.repeat(200_001)}` } },
      '/signature/image'
    ],
    ['with an unknown field', { price: '0.00' }, '/price'],
    ['with a malformed digest', { content_digest: 'ABC' }, '/content_digest']
  ])('%s is 422 and changes nothing', async (_, change, pointer) => {
    const { budget, accept } = await open()
    const { status, body } = await accept({ ...ACCEPTANCE, ...change })
    expect([status, body.code, body.errors?.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      'validation_failed',
      [pointer]
    ])
    expect(await statusOf(budget.id)).toBe('sent')
    expect(await signatureOf(budget.id)).toBeUndefined()
  })

  test('is 413 with a body above the limit, and 422 with one that is not JSON', async () => {
    const { budget, patient } = await open()
    expect(
      (
        await patient.post(`${budget.base}/accept`, {
          ...ACCEPTANCE,
          signature: { method: 'drawn', image: 'A'.repeat(20_000_000) }
        })
      ).status
    ).toBe(413)
    expect(
      (
        await patient.post(`${budget.base}/accept`, undefined, {
          raw: '{"signer_name":',
          headers: { 'content-type': 'application/json' }
        })
      ).status
    ).toBe(422)
    expect(
      (
        await patient.post(`${budget.base}/accept`, undefined, {
          raw: 'a=b',
          headers: { 'content-type': 'application/x-www-form-urlencoded' }
        })
      ).status
    ).toBe(415)
    expect(await statusOf(budget.id)).toBe('sent')
  })

  test('with the digest of other content is 409 content_changed', async () => {
    const { budget, accept } = await open()
    expect((await accept({ ...ACCEPTANCE, content_digest: 'a'.repeat(64) })).body).toMatchObject({
      status: 409,
      code: 'content_changed'
    })
    expect(await statusOf(budget.id)).toBe('sent')
  })

  test('after the end is 410, even one second later and before any job has run', async () => {
    const { budget, accept, reject, patient } = await open()
    await pass(budget, 1)
    expect((await accept()).body).toMatchObject({ status: 410, code: 'budget_expired' })
    expect((await reject({ reason: 'no' })).body).toMatchObject({ status: 410, code: 'budget_expired' })
    expect((await patient.get(budget.base)).body.data.status).toBe('expired')
    expect((await instance.anonymous().get(`${budget.base}/meta`)).body.data.state).toBe('closed')
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data).toMatchObject({
      status: 'expired',
      link: { state: 'closed' }
    })
  })

  test.each([
    ['hashed', /^[\w-]{43}$/],
    ['none', null]
  ])('keeps the address according to the clinic\'s policy: %s', async (policy, expected) => {
    const { budget, accept } = await open()
    await instance.sql`update core_clinic set ip_policy = ${policy} where id = ${instance.clinic.id}`
    await accept()
    await instance.sql`update core_clinic set ip_policy = 'full' where id = ${instance.clinic.id}`
    const { ip } = (await signatureOf(budget.id))!
    if (expected) expect(ip).toMatch(expected)
    else expect(ip).toBeNull()
  })
})

describe('rejecting', () => {
  test('stores a reason and a category, and nothing that only an acceptance needs', async () => {
    const { budget, reject } = await open()
    const { status, body } = await reject({ reason: ' Too dear.\nSorry. ', reason_code: 'price' })
    expect([status, Object.keys(body.data).sort()]).toEqual([200, ['decided_at', 'status']])
    const record = await signatureOf(budget.id)
    expect(record).toMatchObject({
      decision: 'rejected',
      signer_name: 'Lucía Muñoz',
      relationship: null,
      method: null,
      image: null,
      consent_version: null,
      consent_text: null,
      reason: 'Too dear.\nSorry.',
      reason_code: 'price',
      document_sha256: null
    })
    expect((await eventsOf(budget.id, 'budget.rejected'))[0]).toMatchObject({
      decided_at: body.data.decided_at,
      decided_via: 'remote_link',
      signature_id: record!.id,
      reason: 'Too dear.\nSorry.',
      reason_code: 'price'
    })
    expect(
      (await instance.sql`select signed_pdf_status from budget where id = ${budget.id}`)[0]!.signed_pdf_status
    ).toBe('none')
  })

  test('is possible with a category alone: `reason` is null in record and event', async () => {
    const { budget, reject } = await open()
    expect((await reject({ reason_code: 'time' })).status).toBe(200)
    expect(await signatureOf(budget.id)).toMatchObject({ decision: 'rejected', reason: null, reason_code: 'time' })
    expect((await eventsOf(budget.id, 'budget.rejected'))[0]).toMatchObject({ reason: null, reason_code: 'time' })
  })

  test.each([
    ['nothing', {}],
    ['an empty reason', { reason: '' }],
    ['blanks', { reason: ' \n ' }],
    ['2,001 characters', { reason: 'x'.repeat(2001) }],
    ['control characters', { reason: 'a\u0000b' }],
    ['an unknown category', { reason: 'x', reason_code: 'weather' }],
    ['a number', { reason: 5 }]
  ])('with %s is 422', async (_, body) => {
    const { budget, reject } = await open()
    expect((await reject(body)).status).toBe(422)
    expect(await statusOf(budget.id)).toBe('sent')
  })

  test('accepts a reason of 2,000 characters, and another signer', async () => {
    const { budget, reject } = await open()
    expect((await reject({ reason: 'é'.repeat(2000), signer_name: 'Pía Gómez' })).status).toBe(200)
    expect((await signatureOf(budget.id))!.signer_name).toBe('Pía Gómez')
  })
})

describe('deciding in the clinic', () => {
  test('is recorded as the patient\'s decision with the staff member as witness', async () => {
    const budget = await aSentBudget(instance)
    const { status, body } = await staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)
    expect([status, body.data.status]).toEqual([200, 'accepted'])
    const me = (await staff.get('/me')).body.data.user
    const record = (await staff.get(`${BUDGETS}/${budget.id}/signature`)).body.data
    expect(record).toMatchObject({
      decision: 'accepted',
      signer_name: 'Lucía Muñoz',
      witness: { id: me.id, name: `${me.first_name} ${me.last_name}` }
    })
    expect((await eventsOf(budget.id, 'budget.accepted'))[0]).toMatchObject({ accepted_via: 'in_clinic' })
    expect((await logOf(budget.id)).find(row => row.action === 'accepted')).toMatchObject({
      actor: 'staff',
      user_id: me.id
    })
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data).toMatchObject({
      accepted_via: 'in_clinic',
      decision: { witness: { id: me.id } }
    })
    expect((await staff.post(`${BUDGETS}/${budget.id}/reject-in-clinic`, { reason: 'x' })).body).toMatchObject({
      status: 409,
      code: 'already_decided'
    })
  })

  test('is possible for a rejection too, but not for a draft', async () => {
    const budget = await aSentBudget(instance)
    expect(
      (await staff.post(`${BUDGETS}/${budget.id}/reject-in-clinic`, { reason: 'Later', reason_code: 'time' })).body.data
        .status
    ).toBe('rejected')
    expect((await eventsOf(budget.id, 'budget.rejected'))[0]).toMatchObject({ decided_via: 'in_clinic' })
    const draft = await aDraft(instance)
    expect((await staff.post(`${BUDGETS}/${draft.id}/accept-in-clinic`, ACCEPTANCE)).body).toMatchObject({
      status: 409,
      code: 'wrong_state'
    })
  })

  test('and by the link at the same time succeeds for one of them', async () => {
    const { budget, accept } = await open()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 ? accept() : staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)
      )
    )
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
  })
})

describe('the signature record', () => {
  const KEYS = [
    'author',
    'consent_text',
    'consent_version',
    'content_digest',
    'budget_id',
    'decided_at',
    'decision',
    'document_sha256',
    'id',
    'image',
    'ip',
    'known_to',
    'locale',
    'method',
    'patient_id',
    'reason',
    'reason_code',
    'relationship',
    'signer_name',
    'time_zone',
    'user_agent',
    'witness'
  ].sort()

  test('has its fields and no others', async () => {
    const { budget, accept } = await open()
    expect((await staff.get(`${BUDGETS}/${budget.id}/signature`)).status).toBe(404)
    await accept()
    expect(Object.keys((await staff.get(`${BUDGETS}/${budget.id}/signature`)).body.data).sort()).toEqual(KEYS)
  })

  test('is not copied to the revision of a rejected budget', async () => {
    const { budget, reject } = await open()
    await reject({ reason: 'Without the crown, please.' })
    const revision = (await staff.post(`${BUDGETS}/${budget.id}/revise`)).body.data
    expect(revision).toMatchObject({ version: 2, decision: null, link: { state: 'none', has_code: false } })
    expect((await staff.get(`${BUDGETS}/${revision.id}/signature`)).status).toBe(404)
  })
})

describe('a budget with several lines and discounts', () => {
  test('has an event whose prices add up to its total', async () => {
    const [one, two] = [
      await aTreatment(staff, { unit_price: '33.33', vat: '21' }),
      await aTreatment(staff, { unit_price: '33.34', vat: '0' })
    ]
    const { budget, accept } = await open({
      items: [{ treatment_id: one.id }, { treatment_id: one.id }, { treatment_id: two.id }],
      global_discount: { type: 'amount', value: '10.00' }
    })
    await accept()
    const [event] = await eventsOf(budget.id, 'budget.accepted')
    expect(event.total).toBe('104.00')
    expect(
      event.items.reduce((sum: number, item: { price: string }) => sum + Number(item.price.replace('.', '')), 0)
    ).toBe(10400)
  })
})
