import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import { aDrawing } from '../../support/documents/budget-document.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { ageLog, budgetCtx, sealNow, verify } from '../../support/logs.ts'

let instance: Instance
let admin: Caller
beforeAll(async () => {
  instance = await anInstance()
  admin = await instance.as('admin')
})
afterAll(() => instance.close())

const PERSONS = '/api/v1/clinic/persons'
const NAMES = { first_name: 'Xochitl', last_name: 'Quetzal', email: 'xochitl@odd.test', phone: '+52 55 5512 0199' }
const SAID = {
  reason: 'Too dear for my cousin',
  signer: 'Tlaloc Quetzal',
  rang: 'Her aunt rang',
  notes: 'Please mind the gap',
  line: 'She bites',
  note: 'As for your aunt Citlali',
  internal: 'Owes us',
  cancelled: 'Moved to Oaxaca'
}
const WORDS = [NAMES.first_name, NAMES.last_name, NAMES.email, '55120199', '5512 0199', ...Object.values(SAID)]

const erase = async (id: string, dry_run = false) => {
  const { status, body } = await admin.post(`${PERSONS}/${id}/erase`, { dry_run })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return {
    held: body.data.held.filter((entry: any) => entry.module === 'budget'),
    erased: Object.fromEntries(
      body.data.erased.filter((entry: any) => entry.module === 'budget').map(({ what, count }: any) => [what, count])
    )
  }
}
const fileOf = (key: string) => readFileSync(join(instance.storage, 'documents', key))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const row = async (id: string) => (await instance.sql`select * from budget where id = ${id}`)[0]!

/** Everything that the module's tables store about the person: every column as text, bytes as hex. */
async function mentions(words: string[]): Promise<string[]> {
  const columns = await instance.sql<{ table: string, name: string, type: string }[]>`
    select table_name as table, column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and (table_name = 'budget' or table_name like 'budget\\_%')`
  const found: string[] = []
  for (const { table, name, type } of columns) {
    const rows = await instance.sql.unsafe<{ text: string }[]>(
      `select ${type === 'bytea' ? `encode("${name}", 'hex')` : `"${name}"::text`} as text from "${table}" where "${name}" is not null`
    )
    const wanted = words.flatMap(word => [word.toLowerCase(), Buffer.from(word).toString('hex')])
    if (rows.some(({ text }) => wanted.some(word => text.toLowerCase().includes(word)))) found.push(`${table}.${name}`)
  }
  return found
}

/** A patient with a budget in each state. */
async function aCase() {
  const patient = await aPatient(admin, NAMES)
  const items = [{ treatment_id: (await aTreatment(admin)).id, note: SAID.note, notes: SAID.line }]
  const of = async (fields = {}) =>
    aSentBudget(instance, {
      items,
      patient_id: patient.id,
      patient_notes: SAID.notes,
      internal_notes: SAID.internal,
      ...fields
    })
  const draft = await aDraft(instance, { patient_id: patient.id, patient_notes: SAID.notes })
  const [open, rejected, cancelled, accepted] = [await of(), await of(), await of(), await of()]
  const decides = await aVerifiedPatient(instance, rejected)
  await decides.post(`${rejected.base}/verify`, { code: '0000' })
  await admin.post(`${BUDGETS}/${rejected.id}/unlock-public`, { reason: SAID.rang })
  await decides.post(`${rejected.base}/reject`, { reason: SAID.reason, signer_name: SAID.signer })
  await admin.post(`${BUDGETS}/${cancelled.id}/cancel`, { reason: SAID.cancelled })
  await accept(accepted)
  return { patient, draft, open, rejected, cancelled, accepted }
}

async function accept(budget: SentBudget): Promise<void> {
  const patient = await aVerifiedPatient(instance, budget)
  const { status, body } = await patient.post(`${budget.base}/accept`, {
    ...ACCEPTANCE,
    signer_name: SAID.signer,
    relationship: 'guardian',
    signature: { method: 'drawn', image: `data:image/png;base64,${aDrawing().toString('base64')}` }
  })
  expect([status, body.detail]).toEqual([200, undefined])
  await sealNow(instance, budget.id)
}

describe('erasing a patient', () => {
  let the: Awaited<ReturnType<typeof aCase>>
  let before: { total: string, digest: string }
  let image: string
  let told: Awaited<ReturnType<typeof erase>>
  beforeAll(async () => {
    the = await aCase()
    const [record]
      = await instance.sql`select content_digest, encode(image, 'hex') as image from budget_signature where budget_id = ${the.accepted.id}`
    before = { total: String((await row(the.accepted.id)).total), digest: record!.content_digest }
    image = record!.image
    expect((await mentions(WORDS)).length).toBeGreaterThan(8)
    const rehearsed = await erase(the.patient.id, true)
    expect((await row(the.accepted.id)).patient_first_name).toBe('Xochitl')
    expect(() => fileOf(rehearsed.held[1].file)).toThrow('ENOENT')
    told = await erase(the.patient.id)
    expect(rehearsed).toEqual(told)
  })

  test('leaves no name, address, number, reason, note or picture in any table of the module', async () => {
    expect(await mentions(WORDS)).toEqual([])
    const [record]
      = await instance.sql`select count(*)::int as n from budget_signature where image is not null or ip is not null or user_agent is not null or reason is not null`
    expect([record!.n, image.length > 100]).toEqual([0, true])
  })

  test('deletes drafts, cancels open budgets, empties the others, and reports the counts', async () => {
    expect(told.erased).toEqual({
      'budget drafts, deleted': 1,
      'open budgets, cancelled': 1,
      'budgets, emptied of names and notes': 4,
      'texts in access logs': 8,
      'links': 4,
      'sessions of links': 2
    })
    expect(await instance.sql`select from budget where id = ${the.draft.id}`).toHaveLength(0)
    expect(await row(the.open.id)).toMatchObject({
      status: 'cancelled',
      closed_reason: 'patient_erased',
      patient_first_name: '',
      patient_notes: null,
      internal_notes: null
    })
    expect(await row(the.cancelled.id)).toMatchObject({ status: 'cancelled', closed_reason: null })
    const [event]
      = await instance.sql`select payload from core_event where name = 'budget.cancelled' and payload->>'budget_id' = ${the.open.id}`
    expect(event!.payload).toMatchObject({ cancelled_by: null, patient_id: the.patient.id })
  })

  test('keeps logs and proofs valid, and none of it is reported by the doctor', async () => {
    expect((await verify(instance)).text).toMatch(
      /^4 budgets: 2 digests, \d+ log rows, 1 signed PDF, 1 held evidence file\. All hold\.$/
    )
    const { definition, ctx } = instance.runtime.host.registry.get('budget')!
    expect(await definition.doctor!(ctx)).toEqual([])
  })

  test('keeps accepted budgets provable by two files that the report names', async () => {
    const object = `${the.accepted.number} v1`
    expect(told.held).toEqual([
      {
        module: 'budget',
        what: 'signed PDF',
        object,
        file: expect.stringMatching(/\.pdf$/),
        reason: expect.any(String)
      },
      {
        module: 'budget',
        what: 'evidence of the acceptance',
        object,
        file: `${instance.clinic.id}/${the.accepted.id}/evidence.zip`,
        reason: expect.any(String)
      }
    ])
    const zip = fileOf(told.held[1].file)
    const files = unzipSync(new Uint8Array(zip))
    const [record]
      = await instance.sql`select evidence_sha256, content_digest, content from budget_signature where budget_id = ${the.accepted.id}`
    expect(record).toMatchObject({ evidence_sha256: sha256(zip), content_digest: before.digest })
    expect(sha256(files['content.json']!)).toBe(before.digest)
    expect(sha256(files['signed.pdf']!)).toBe((await row(the.accepted.id)).signed_pdf_sha256)
    expect(strFromU8(files['signature.json']!)).toContain(SAID.signer)
    expect(JSON.parse(record!.content)).toMatchObject({
      number: the.accepted.number,
      clinic: { name: 'Clínica Peñalver' },
      patient: { first_name: '', last_name: '' },
      patient_notes: null
    })
  })

  test('keeps prices, numbers and dates for accounts and reports', async () => {
    expect(String((await row(the.accepted.id)).total)).toBe(before.total)
    const { body } = await admin.get(`${BUDGETS}/${the.accepted.id}`)
    expect(body.data).toMatchObject({
      number: the.accepted.number,
      status: 'accepted',
      erased_at: expect.stringMatching(/Z$/),
      patient: { id: the.patient.id, first_name: '', last_name: '' },
      decision: { signer_name: '' }
    })
  })

  test('makes the link unknown, ends its session, and removes the name from every search', async () => {
    for (const { base } of [the.open, the.accepted, the.rejected])
      expect((await instance.anonymous().get(`${base}/meta`)).body.code).toBe('link_not_found')
    expect((await admin.get(`${BUDGETS}?search=xochitl`)).body.total).toBe(0)
    const { body } = await admin.get(`${BUDGETS}?patient_id=${the.patient.id}`)
    expect(body.data.map((entry: any) => entry.patient.first_name)).toEqual(['', '', '', ''])
  })

  test('leaves staff the signed PDF and the held evidence, and the check page still confirms the PDF', async () => {
    const pdf = await admin.get(`${BUDGETS}/${the.accepted.id}/pdf/signed`)
    expect(pdf.status).toBe(200)
    expect((await admin.get(`${BUDGETS}/${the.accepted.id}/evidence`)).status).toBe(200)
    const { signed_pdf_sha256, decided_at } = await row(the.accepted.id)
    const { body } = await instance.anonymous().post('/api/v1/public/documents/check', { sha256: signed_pdf_sha256 })
    expect(body.data).toEqual({ match: true, signed_at: decided_at.toISOString(), clinic_name: 'Clínica Peñalver' })
  })

  test('makes every change of the remaining records 409 patient_erased, as documented in OpenAPI for each', async () => {
    const { paths } = (await admin.get('/api/v1/openapi.json')).body
    for (const [path, body] of [
      ['resend', { channel: 'manual' }],
      ['revise', undefined],
      ['duplicate', undefined],
      ['set-public-code', { code: '1234' }],
      ['unlock-public', {}],
      ['cancel', {}]
    ] as const) {
      expect([path, (await admin.post(`${BUDGETS}/${the.open.id}/${path}`, body)).body.code]).toEqual([
        path,
        'patient_erased'
      ])
      expect(JSON.stringify(paths[`${BUDGETS}/{id}/${path}`].post.responses[409]), path).toContain('patient_erased')
    }
  })

  test('a second time changes nothing, and reports the held files again', async () => {
    await admin.get(`${BUDGETS}/${the.accepted.id}/pdf/signed`)
    const again = await erase(the.patient.id)
    expect(again).toEqual({ held: told.held, erased: {} })
    expect((await verify(instance)).ok).toBe(true)
  })

  test('cannot be imitated or undone by SQL: the database refuses it, or the doctor reports it', async () => {
    const change = (id: string, set: string) => instance.sql.unsafe(`update budget set ${set} where id = '${id}'`)
    for (const set of ['erased_at = null', 'erased_at = now()', 'patient_first_name = \'X\'', 'internal_notes = \'x\'']) {
      await expect(change(the.accepted.id, set)).rejects.toMatchObject({ code: '23001' })
    }
    await expect(
      instance.sql`update budget_item set notes = 'x' where budget_id = ${the.accepted.id}`
    ).rejects.toMatchObject({ code: '23001' })
    await expect(
      instance.sql`update budget_item set price = 1 where budget_id = ${the.accepted.id}`
    ).rejects.toMatchObject({ code: '23001' })
    await instance.sql`update budget_signature set evidence_sha256 = 'x' where budget_id = ${the.accepted.id}`
    expect(await verify(instance, the.accepted.id)).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'erasure_not_sealed' }, { code: 'evidence_mismatch' }] }
    })
    await instance.sql`update budget_signature set evidence_sha256 = ${sha256(fileOf(told.held[1].file))} where budget_id = ${the.accepted.id}`
    expect((await verify(instance)).ok).toBe(true)
  })
})

describe('the database\'s guards', () => {
  test('allow personal columns to be emptied only together, in an update marked as erasure of a closed version', async () => {
    const open = await aSentBudget(instance, { patient_notes: 'x' })
    const whole
      = 'erased_at = now(), patient_first_name = \'\', patient_last_name = \'\', patient_notes = null, internal_notes = null'
    const change = (set: string) => instance.sql.unsafe(`update budget set ${set} where id = '${open.id}'`)
    for (const set of [
      whole,
      `${whole}, status = 'sent'`,
      `${whole}, status = 'cancelled', total = 1`,
      'status = \'cancelled\', erased_at = now()',
      whole.replace('patient_notes = null', 'patient_notes = \'y\''),
      whole.replace('erased_at = now(), ', '')
    ]) {
      await expect(change(set)).rejects.toMatchObject({ code: '23001' })
    }
    await expect(instance.sql`update budget_item set notes = null where budget_id = ${open.id}`).rejects.toMatchObject({
      code: '23001'
    })
    await change(`${whole}, status = 'cancelled', closed_at = now()`)
    expect(await verify(instance, open.id)).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'erasure_not_sealed' }] }
    })
    await instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      for (const table of ['budget_access_log', 'budget_link', 'budget_item'])
        await tx`delete from ${tx(table)} where budget_id = ${open.id}`
      await tx`delete from budget where id = ${open.id}`
    })
  })
})

describe('an erasure', () => {
  test('waits for a signed PDF that is being made, and changes nothing until then', async () => {
    const patient = await aPatient(admin, NAMES)
    const budget = await aSentBudget(instance, { patient_id: patient.id })
    await accept(budget)
    // The job of the acceptance may still be running, and would find that the PDF is needed after all.
    await eventually(
      async () =>
        (
          await instance.sql`select from core_delivery where name = 'seal-document' and status = 'pending' and payload->>'budget_id' = ${budget.id}`
        ).length === 0,
      'the job'
    )
    await instance.sql`update budget set signed_pdf_status = 'pending' where id = ${budget.id}`
    for (const dry_run of [true, false]) {
      const { status, body } = await admin.post(`${PERSONS}/${patient.id}/erase`, { dry_run })
      expect([status, body.code, body.detail]).toEqual([409, 'erasure_blocked', expect.stringContaining(budget.number)])
    }
    expect((await row(budget.id)).patient_first_name).toBe('Xochitl')
    await instance.sql`update budget set signed_pdf_status = 'ready' where id = ${budget.id}`
  })

  test('does not destroy the rows of a proof whose file is missing', async () => {
    const patient = await aPatient(admin, NAMES)
    const budget = await aSentBudget(instance, { patient_id: patient.id })
    await accept(budget)
    const { signed_pdf_key } = await row(budget.id)
    await instance.sql`update budget set signed_pdf_key = 'nowhere.pdf' where id = ${budget.id}`
    const { body } = await admin.post(`${PERSONS}/${patient.id}/erase`, { dry_run: false })
    expect([body.code, body.detail]).toEqual(['fingerprint_mismatch', expect.stringContaining(`${budget.number} v1`)])
    expect((await row(budget.id)).patient_first_name).toBe('Xochitl')
    await instance.sql`update budget set signed_pdf_key = ${signed_pdf_key} where id = ${budget.id}`
  })

  test('that failed after its file was written reuses that file when it is repeated', async () => {
    const patient = await aPatient(admin, NAMES)
    const budget = await aSentBudget(instance, { patient_id: patient.id })
    await accept(budget)
    const { definition, ctx } = instance.runtime.host.registry.get('budget')!
    const person = { clinic_id: instance.clinic.id, id: patient.id, name: '' }
    await expect(ctx.db.transaction(async (tx) => {
      await definition.hooks!.erase!({ ...ctx, db: tx as never }, person, { dry_run: false })
      throw new Error('another module refused')
    })).rejects.toThrow('another module refused')
    const { held } = await erase(patient.id)
    expect(held).toHaveLength(2)
    expect((await verify(instance, budget.id)).text).toMatch(/All hold/)
  })

  test('also works behind a checkpoint, for a rejection whose digest is removed with the name', async () => {
    const patient = await aPatient(admin, NAMES)
    const [rejected, accepted] = [
      await aSentBudget(instance, { patient_id: patient.id }),
      await aSentBudget(instance, { patient_id: patient.id })
    ]
    await (await aVerifiedPatient(instance, rejected)).post(`${rejected.base}/reject`, { reason: SAID.reason })
    await accept(accepted)
    for (const { id } of [rejected, accepted]) await ageLog(instance, id, { months: 130 })
    await instance.runtime.host.registry
      .get('budget')!
      .definition.jobs!['trim-logs']!.run({}, budgetCtx(instance), { attempt: 1 })
    const [record] = await instance.sql`select content_digest from budget_signature where budget_id = ${rejected.id}`
    expect((await mentions([record!.content_digest])).sort()).toEqual([
      'budget_log_checkpoint.facts',
      'budget_signature.content_digest'
    ])
    await erase(patient.id)
    expect(await mentions([record!.content_digest])).toEqual([])
    for (const { id } of [rejected, accepted]) expect((await verify(instance, id)).ok).toBe(true)
  })

  test('of a person without budgets changes nothing', async () => {
    expect(await erase((await aPatient(admin, NAMES)).id)).toEqual({ held: [], erased: {} })
  })
})

describe('exporting a patient', () => {
  test('returns budgets with lines, decisions and logs as text, and the signed PDF and the picture as files', async () => {
    const { patient, accepted, rejected } = await aCase()
    const { definition, ctx } = instance.runtime.host.registry.get('budget')!
    const { records, files } = await definition.hooks!.export!(ctx, {
      clinic_id: instance.clinic.id,
      id: patient.id,
      name: ''
    })
    const budgets = records.budgets as any[]
    expect(budgets.map(({ status }) => status)).toEqual(['draft', 'sent', 'rejected', 'cancelled', 'accepted'])
    expect(budgets[4]).toMatchObject({
      number: accepted.number,
      version: 1,
      patient: { first_name: 'Xochitl' },
      notes: SAID.notes,
      totals: { total: '121.00' },
      lines: [{ quantity: 1, price: '121.00', note: SAID.note, notes: SAID.line }],
      decision: { decision: 'accepted', signer_name: SAID.signer }
    })
    const told = budgets.find(({ number }) => number === rejected.number)
    expect(told.decision).toMatchObject({ decision: 'rejected', reason: SAID.reason })
    expect(told.access_log.find(({ action }: any) => action === 'unlocked').detail).toMatchObject({ reason: SAID.rang })
    expect(files!.map(({ name }) => name)).toEqual([
      `${accepted.number}-v1-signed.pdf`,
      `${accepted.number}-v1-signature.png`
    ])
    expect(JSON.stringify(records)).not.toContain(accepted.token)
    await erase(patient.id)
    const after = await definition.hooks!.export!(ctx, { clinic_id: instance.clinic.id, id: patient.id, name: '' })
    expect(JSON.stringify(after.records)).not.toContain('Xochitl')
  })
})
