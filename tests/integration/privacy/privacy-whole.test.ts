import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, ACCEPTANCE, aPatient, aTreatment, BUDGETS, eventually } from '../../support/builders.ts'
import { aDrawing } from '../../support/documents/budget-document.ts'
import type { Caller } from '../../support/caller.ts'
import { svc } from '../../support/cli.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { aReceiver, type Receiver } from '../../support/outside/receiver.ts'
import { tracesInFiles, tracesInTables, type SearchedValues } from '../../support/traces.ts'

/**
 * Two patients have every kind of data that the service stores about a person. The data of one is erased. Then every
 * row of every table and every file below the storage is searched. PostgreSQL's dead rows are excluded: VACUUM removes
 * them.
 */
let instance: Instance
let receiver: Receiver
let staff: Caller

const ERASED = {
  first_name: 'Xochiquetzál',
  last_name: 'Tlacaelelitzin',
  email: 'xochi.unlikely@aztlan.test',
  phone: '+52 733 918 2746',
  date_of_birth: '1931-07-23',
  notes: 'Xochiquetzál fears whirring.',
  signer: 'Quirimbaoa Representada'
}
const OTHER = {
  first_name: 'Þorgerður',
  last_name: 'Brynjólfsdóttir',
  email: 'thorgerdur.unlikely@thule.test',
  phone: '+354 611 9073',
  date_of_birth: '1944-02-11',
  notes: 'Þorgerður likes mornings.',
  signer: 'Hallgerður Langbrók'
}
type Who = typeof ERASED
const picture = { [ERASED.email]: aDrawing(310, 97), [OTHER.email]: aDrawing(290, 103) } as Record<string, Buffer>

/** Everything that can happen to a patient of the clinic. */
async function aLife(who: Who) {
  const { signer, ...fields } = who
  const patient = await aPatient(staff, { ...fields, locale: 'es' })
  const full = `${who.first_name} ${who.last_name}`
  const draft = (more = {}) =>
    aDraft(instance, {
      patient_id: patient.id,
      internal_notes: `${full} asked twice.`,
      patient_notes: `Dear ${who.first_name}, as agreed.`,
      ...more
    })
  const post = async (path: string, body?: unknown, by = staff) => {
    const answer = await by.post(path, body)
    expect([path, answer.status < 300, answer.body?.detail]).toEqual([path, true, undefined])
    return answer.body?.data
  }
  async function sent(channel = 'email', more = {}) {
    const { id } = await draft(more)
    const { url } = await post(`${BUDGETS}/${id}/send`, {
      channel,
      code: '482913',
      message: `Hello ${who.first_name}, here it is.`
    })
    const base = `/api/v1/public/budgets/${url.split('/').at(-1)}`
    const visitor = instance.anonymous()
    await post(`${base}/verify`, { code: '482913' }, visitor)
    return { id: id as string, base, visitor }
  }

  /** The budget is chosen from, asked about, answered, accepted and withdrawn. */
  async function aWithdrawal() {
    const { id: treatment_id } = await aTreatment(staff)
    const option = {
      title: 'Whitening',
      description: `As ${full} wished.`,
      items: [{ treatment_id, note: `For ${full}.`, notes: `${full} hesitates.` }]
    }
    const { id, base, visitor } = await sent('email', {
      choices: [{ title: 'Extras', rule: 'at_most_one', options: [option] }]
    })
    await post(`${base}/messages`, { text: `${full} asks: does it hurt?` }, visitor)
    await post(`${BUDGETS}/${id}/messages`, { text: `No, ${who.first_name}.` })
    await post(`${base}/messages`, { text: `${full} thanks.` }, visitor)
    const { choices: [choice] } = (await visitor.get(base)).body.data
    const selection = { [choice.id]: choice.options[0].id }
    const { content_digest } = await post(`${base}/price`, { selection }, visitor)
    await post(`${base}/accept`, { ...ACCEPTANCE, signer_name: signer, selection, content_digest }, visitor)
    await eventually(
      async () => (await staff.get(`${BUDGETS}/${id}`)).body.data.signed_pdf.status === 'ready',
      'the signed PDF'
    )
    await eventually(
      async () => (await staff.get(`${INVOICES}?patient_id=${patient.id}`)).body.data.length === 3,
      'the draft of the invoice'
    )
    await post(`${BUDGETS}/${id}/withdraw`, { requested_by: 'guardian', reason: `${full} moves away.` })
    await eventually(
      async () => (await staff.get(`${INVOICES}?patient_id=${patient.id}&status=cancelled`)).body.data.length === 1,
      'the cancelled draft'
    )
  }

  await draft()
  const open = await sent()
  await post(`${BUDGETS}/${open.id}/resend`, { channel: 'email' })
  await post(`${BUDGETS}/${open.id}/unlock-public`, { reason: `${who.first_name} rang.` })
  const superseded = await sent()
  await post(`${BUDGETS}/${superseded.id}/revise`)
  await post(`${BUDGETS}/${(await sent('manual')).id}/cancel`, { reason: `${full} moved away.` })
  const rejected = await sent()
  await post(`${rejected.base}/reject`, { reason: `Too dear for ${full}.`, signer_name: signer }, rejected.visitor)

  const accepted = await sent()
  const image = `data:image/png;base64,${picture[who.email]!.toString('base64')}`
  await post(
    `${accepted.base}/accept`,
    { ...ACCEPTANCE, signer_name: signer, relationship: 'guardian', signature: { method: 'drawn', image } },
    accepted.visitor
  )
  const inClinic = await sent()
  await post(`${BUDGETS}/${inClinic.id}/accept-in-clinic`, { ...ACCEPTANCE, signer_name: full })
  for (const { id } of [accepted, inClinic])
    await eventually(
      async () => (await staff.get(`${BUDGETS}/${id}`)).body.data.signed_pdf.status === 'ready',
      'the signed PDF'
    )
  expect((await staff.get(`${BUDGETS}/${accepted.id}/evidence`)).status).toBe(200)

  const invoices = await eventually(async () => {
    const { data } = (await staff.get(`${INVOICES}?patient_id=${patient.id}`)).body
    return data.length === 2 && data
  }, 'the drafts of the invoices')
  const issued = invoices.find((one: any) => one.budget.id === accepted.id)
  const advance = await post('/api/v1/billing/advances', {
    budget_id: accepted.id,
    amount: '10.00',
    method: 'transfer',
    reference: `From ${full}`,
    note: `${full} paid before.`
  })
  await post(`/api/v1/billing/advances/${advance.id}/reverse`, { amount: '1.00', reason: `${full} paid too much.` })
  await post(`${INVOICES}/${issued.id}/issue`)
  await post(`${INVOICES}/${issued.id}/payments`, {
    amount: '21.00',
    method: 'transfer',
    note: `From the sister of ${who.first_name}.`
  })
  await aWithdrawal()
  await instance.sql`insert into core_delivery (module_name, kind, name, line, payload, status, last_error) values ('budget', 'job', 'deliver-link', 'old', ${instance.sql.json({ id: open.id, message: `Hello ${full}` })}, 'done', ${`mailbox of ${who.email} is full`})`
  const [id, advanceId, issuedId] = [patient, advance, issued].map(one => one.id as string) as [string, string, string]
  return { id, accepted: accepted.id, issued: issuedId, advance: advanceId, open: open.base }
}

async function wantedOf(who: Who, id: string): Promise<SearchedValues> {
  const [row]
    = await instance.sql`select image from budget_signature s join budget b on b.id = s.budget_id where b.patient_id = ${id} and image is not null`
  const { first_name, last_name, email, phone, date_of_birth, signer } = who
  return {
    'first name': first_name,
    'last name': last_name,
    'e-mail': email,
    phone,
    'phone, digits': phone.replaceAll(/\D/g, '').slice(-9),
    'date of birth': date_of_birth,
    'signer': signer.split(' ')[0]!,
    'picture as sent': picture[who.email]!,
    'picture as kept': row!.image
  }
}

/** Each row about a person, as text. */
const rowsOf = async (wanted: SearchedValues) =>
  (
    await instance.sql<
      { name: string }[]
    >`select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`
  ).map(async ({ name }) =>
    (await instance.sql<{ row: string }[]>`select t::text as row from ${instance.sql.unsafe(name)} t`)
      .map(({ row }) => `${name} ${row}`)
      .filter(row => Object.values(wanted).some(text => typeof text === 'string' && row.includes(text)))
  )
const everyRowOf = async (wanted: SearchedValues) => (await Promise.all(await rowsOf(wanted))).flat().sort()

let one: Awaited<ReturnType<typeof aLife>>
let two: Awaited<ReturnType<typeof aLife>>
let wanted: SearchedValues
let wantedOther: SearchedValues
beforeAll(async () => {
  receiver = await aReceiver()
  receiver.answer('/hook', response => response.writeHead(500).end(`Sorry ${ERASED.first_name} ${ERASED.last_name}`))
  instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  staff = await instance.as('admin')
  await staff.post('/api/v1/webhooks', { url: `${receiver.url}/hook`, events: ['*'], include_reason: true })
  one = await aLife(ERASED)
  await eventually(
    async () => (await instance.sql`select from core_webhook_attempt where response_body is not null`).length > 0,
    'an answer to a webhook'
  )
  receiver.answer('/hook', 500)
  two = await aLife(OTHER)
  wanted = await wantedOf(ERASED, one.id)
  wantedOther = await wantedOf(OTHER, two.id)
  // Only what waits for its next attempt is still pending for the patient.
  await eventually(
    async () => (await instance.sql`select from core_delivery where status = 'pending' and attempts = 0`).length === 0,
    'the rest'
  )
}, 240_000)
afterAll(async () => {
  await instance?.close()
  await receiver?.close()
})

describe('a patient with data of every kind', () => {
  test('is found everywhere before, so that the search is meaningful', async () => {
    const tables = await tracesInTables(instance.sql, wanted)
    expect(tables).toEqual(
      expect.arrayContaining([
        'first name in public.budget',
        'signer in public.budget_signature',
        'picture as kept in public.budget_signature',
        'e-mail in public.clinical_patient',
        'phone in public.clinical_patient',
        'first name in public.billing_invoice',
        'first name in public.billing_payment',
        'first name in public.billing_advance',
        'first name in public.billing_advance_reversal',
        'first name in public.core_event',
        'first name in public.core_webhook_attempt',
        'e-mail in public.core_delivery'
      ])
    )
    const files = Object.keys(await tracesInFiles(instance.storage, wanted))
    expect([files.some(file => file.startsWith('outbox/')), files.some(file => file.startsWith('documents/'))]).toEqual(
      [true, true]
    )
  })

  test('is found after the erasure only in the files that the report names', async () => {
    const others = await everyRowOf(wantedOther)
    const lettersToOther = Object.keys(await tracesInFiles(join(instance.storage, 'outbox'), wantedOther))
    const { status, body } = await staff.post(`/api/v1/clinic/persons/${one.id}/erase`, { dry_run: false })
    expect([status, body.detail]).toEqual([200, undefined])
    const { held, left, letters } = body.data
    expect(left).toEqual([])
    expect(letters).toBeGreaterThan(2)
    expect(held.map(({ what, object }: any) => [what, object])).toEqual(
      expect.arrayContaining([
        ['issued invoice', expect.stringMatching(/^(?:INV|PF)-/)],
        ['receipt of an advance', expect.stringMatching(/^REC-/)],
        [expect.any(String), expect.stringMatching(/^PRES-/)]
      ])
    )

    expect(await tracesInTables(instance.sql, wanted)).toEqual([])
    const heldFiles = held.map(({ file }: any) => `documents/${file}`)
    expect(heldFiles.filter((file: string) => !existsSync(join(instance.storage, file)))).toEqual([])
    expect(
      Object.keys(await tracesInFiles(instance.storage, wanted)).filter(file => !heldFiles.includes(file))
    ).toEqual([])

    expect(await everyRowOf(wantedOther)).toEqual(others)
    expect(Object.keys(await tracesInFiles(join(instance.storage, 'outbox'), wantedOther)).sort()).toEqual(
      lettersToOther.sort()
    )
  }, 120_000)

  test('is still not found after pending work is tried again', async () => {
    await instance.sql`update core_delivery set next_attempt_at = now() where status = 'pending'`
    await instance.sql`update core_webhook_delivery set next_attempt_at = now() where status = 'pending'`
    await instance.restart()
    await eventually(
      async () =>
        (await instance.sql`select from core_delivery where status = 'pending' and module_name <> 'core'`).length === 0,
      'the rest'
    )
    const names = readdirSync(join(instance.storage, 'outbox'))
    expect(names.length).toBeGreaterThan(0)
    expect(await tracesInTables(instance.sql, wanted)).toEqual([])
    expect(Object.keys(await tracesInFiles(join(instance.storage, 'outbox'), wanted))).toEqual([])
  }, 60_000)
})

describe('after the erasure', () => {
  test('the doctor reports nothing, and the log of every budget verifies', async () => {
    const { body: { data } } = await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')
    expect(data.integrity.filter(({ code }: any) => !['layer_missing', 'layer_vanished'].includes(code))).toEqual([])
    const env = {
      DATABASE_URL: instance.runtime.host.config.database_url!,
      SVC_STORAGE: instance.storage,
      SVC_SECRET: 'a secret for tests, long enough to pass'
    }
    const { code, stdout } = await svc(['budgets', 'verify', '--json'], { env })
    expect([code, stdout]).toEqual([0, stdout])
  }, 60_000)

  test('the signed PDF of the erased patient is still sent with its fingerprint, and the check page confirms it', async () => {
    const { status, bytes } = await staff.get(`${BUDGETS}/${one.accepted}/pdf/signed`)
    expect(status).toBe(200)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const { body } = await instance.anonymous().post('/api/v1/public/documents/check', { sha256 })
    expect(body.data).toMatchObject({ match: true, clinic_name: 'Clínica Peñalver' })
    const [signature]
      = await instance.sql`select document_sha256 from budget_signature where budget_id = ${one.accepted}`
    expect(signature!.document_sha256).toBe(sha256)
  })

  test('the invoice and the receipt are sent unchanged', async () => {
    for (const path of [`${INVOICES}/${one.issued}/pdf`, `/api/v1/billing/advances/${one.advance}/pdf`]) {
      const { status, bytes } = await staff.get(path)
      expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
  })

  test('the patient\'s links open nothing any more', async () => {
    expect((await instance.anonymous().post(`${one.open}/verify`, { code: '482913' })).status).toBe(404)
    expect((await instance.anonymous().get(`${two.open}/meta`)).status).toBe(200)
  })
})
