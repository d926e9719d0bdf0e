import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneOldMails } from '../../../server/core/mail/remove-mail-files.ts'
import { aDraft, aPatient, BUDGETS, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anIssuedInvoice, INVOICES, someInvoices } from '../../support/documents/invoices.ts'
import { aCatalog, dear, idsOf, offers, openOffer } from '../../support/offers.ts'

let instance: Instance
let admin: Caller
beforeAll(async () => {
  instance = await anInstance()
  admin = await instance.as('admin')
})
afterAll(() => instance.close())

const PERSONS = '/api/v1/clinic/persons'
const PATIENTS = '/api/v1/clinical/patients'

async function erase(id: string, dry_run = false): Promise<any> {
  const { status, body } = await admin.post(`${PERSONS}/${id}/erase`, { dry_run })
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}

const ODD = {
  first_name: 'Xochitl',
  last_name: 'Quetzalcóatl',
  email: 'xochitl@odd.test',
  phone: '+52 55 5512 0199',
  date_of_birth: '1980-02-03',
  notes: 'Afraid of needles.'
}

/** An invoice of the patient in billing's tables, as an accepted budget creates it. */
async function invoiceOf(
  patient: { id: string, first_name: string, last_name: string },
  how: 'draft' | 'issued' = 'draft'
): Promise<string> {
  const { first_name, last_name } = patient
  const id
    = how === 'issued'
      ? (await anIssuedInvoice(instance, admin, { first_name, last_name })).id
      : (await someInvoices(instance, 1, { first_name, last_name }))[0]!
  await instance.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update billing_invoice set patient_id = ${patient.id} where id = ${id}`
  })
  return id
}

/**
 * The outbox's mails with one subject. Other files are created and removed there meanwhile, such as the probe of the
 * file system's clock.
 */
function lettersOf(subject: string): string[] {
  const outbox = join(instance.storage, 'outbox')
  return readdirSync(outbox).filter((file) => {
    try {
      return readFileSync(join(outbox, file), 'utf8').includes(`Subject: ${subject}\r\n`)
    } catch {
      return false // it was removed meanwhile
    }
  })
}

describe('erasing a patient', () => {
  test('empties and marks the row, removes it from lists and searches, and prevents every change', async () => {
    const { id } = await aPatient(admin, ODD)
    expect((await erase(id)).erased).toContainEqual({ module: 'clinical', what: 'patient', count: 1 })

    const { body: { data } } = await admin.get(`${PATIENTS}/${id}`)
    expect(data).toMatchObject({
      first_name: '',
      last_name: '',
      email: null,
      phone: null,
      date_of_birth: null,
      notes: null,
      erased_at: expect.stringMatching(/Z$/)
    })
    for (const query of ['', '?search=xochitl', '?search=55120199']) {
      expect((await admin.get(PATIENTS + query)).body.data.map((row: any) => row.id)).not.toContain(id)
    }
    expect(await admin.patch(`${PATIENTS}/${id}`, { first_name: 'Back' })).toMatchObject({
      status: 409,
      body: { code: 'patient_erased' }
    })
    expect(await admin.post(BUDGETS, { patient_id: id, items: [] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/patient_id' }] }
    })
    const [row] = await instance.sql`select search, words::text from clinical_patient where id = ${id}`
    expect(row).toEqual({ search: '', words: '' })
  })

  test('reports the same in a dry run and changes nothing', async () => {
    const patient = await aPatient(admin, ODD)
    await invoiceOf(patient, 'issued')
    const rows = () =>
      instance.sql`select * from clinical_patient, billing_invoice where clinical_patient.id = ${patient.id} and patient_id = ${patient.id}`
    const before = await rows()
    const files = documents()
    const told = await erase(patient.id, true)
    expect(await rows()).toEqual(before)
    expect(documents()).toEqual(files)
    expect(
      await instance.sql`select from core_event where name = 'person.erased' and payload->>'patient_id' = ${patient.id}`
    ).toHaveLength(0)
    expect({ ...told, dry_run: false }).toEqual(await erase(patient.id))
  })

  test('can be repeated: the second time nothing is left to erase, and the report lists the held files again', async () => {
    const patient = await aPatient(admin, ODD)
    await invoiceOf(patient, 'issued')
    const first = await erase(patient.id)
    const second = await erase(patient.id)
    expect(second).toMatchObject({ erased: [], held: first.held, letters: 0 })
  })

  test('is recorded with the member of staff and the time, and no person\'s name', async () => {
    const { id } = await aPatient(admin, ODD)
    await erase(id)
    const { body: { data: me } } = await admin.get('/me')
    const events
      = await instance.sql`select payload from core_event where name = 'person.erased' and payload->>'patient_id' = ${id}`
    expect(events.map(({ payload }) => payload)).toEqual([
      {
        event_id: expect.any(String),
        occurred_at: expect.any(String),
        clinic_id: instance.clinic.id,
        patient_id: id,
        erased_by: me.user.id
      }
    ])
  })

  test('requires an explicit dry_run and an existing patient', async () => {
    const { id } = await aPatient(admin)
    expect((await admin.post(`${PERSONS}/${id}/erase`, {})).status).toBe(422)
    for (const nobody of [randomUUID(), 'not-an-id', instance.clinic.id]) {
      expect(await admin.post(`${PERSONS}/${nobody}/erase`, { dry_run: false })).toMatchObject({
        status: 404,
        body: { code: 'not_found' }
      })
      expect((await admin.get(`${PERSONS}/${nobody}/export`)).status).toBe(404)
    }
  })

  test('is refused completely while an installed module does not run', async () => {
    const { id } = await aPatient(admin, ODD)
    await instance.sql`insert into core_module (name, state, category, version) values ('notes', 'installed', 'community', '1.0.0')`
    try {
      const refused = await admin.post(`${PERSONS}/${id}/erase`, { dry_run: false })
      expect(refused).toMatchObject({
        status: 409,
        body: {
          code: 'module_not_running',
          modules: ['notes'],
          detail: expect.stringContaining('An installed module does not run: notes.')
        }
      })
      expect((await admin.get(`${PERSONS}/${id}/export`)).body).toMatchObject({ code: 'module_not_running' })
      expect((await admin.get(`${PATIENTS}/${id}`)).body.data.erased_at).toBeNull()
    } finally {
      await instance.sql`delete from core_module where name = 'notes'`
    }
  })

  test('reports what could not be checked: tables that a removed module left', async () => {
    const { id } = await aPatient(admin, ODD)
    await instance.sql`insert into core_module (name, state, category, applied_revision) values ('notes', 'uninstalled', 'community', '0000_notes')`
    const { left } = await erase(id, true)
    await instance.sql`delete from core_module where name = 'notes'`
    expect(left).toContainEqual({ module: 'notes', why: 'kept_data' })
  })

  test('reports the backups of modules that still contain the patient', async () => {
    const { id } = await aPatient(admin, ODD)
    const folder = join(instance.storage, 'backups')
    mkdirSync(folder, { recursive: true })
    for (const [module, text] of [
      ['clinical', `x${'\n'.repeat(70_000)}${id}\n`],
      ['catalog', 'nothing of the kind']
    ] as const) {
      const file = join(folder, `module_${module}_20260101T000000Z.sql`)
      writeFileSync(file, text)
      writeFileSync(
        `${file}.json`,
        JSON.stringify({
          module,
          version: '0.1.0',
          revision: null,
          created_at: '2026-01-01T00:00:00Z',
          sha256: '0'.repeat(64),
          bytes: text.length,
          rows: {}
        })
      )
    }
    expect((await erase(id)).backups).toEqual(['module_clinical_20260101T000000Z.sql'])
  })
})

const documents = () =>
  existsSync(join(instance.storage, 'documents'))
    ? readdirSync(join(instance.storage, 'documents'), { recursive: true }).sort()
    : []

describe('invoices of an erased patient', () => {
  test('are kept as files if issued, and sent from there in any language, while their rows lose the name', async () => {
    const patient = await aPatient(admin, ODD)
    const id = await invoiceOf(patient, 'issued')
    await admin.post(`${INVOICES}/${id}/payments`, {
      amount: '10.00',
      method: 'cash',
      note: 'Her sister Xochitl paid.'
    })
    const {
      body: { data: before }
    } = await admin.get(`${INVOICES}/${id}`)
    const { held, erased } = await erase(patient.id)
    expect(held).toEqual([
      {
        module: 'billing',
        what: 'issued invoice',
        object: before.number,
        file: expect.stringMatching(/^invoices\/.+\.pdf$/),
        reason: expect.any(String)
      }
    ])
    expect(erased).toEqual(
      expect.arrayContaining([
        { module: 'billing', what: 'names in invoices', count: 1 },
        { module: 'billing', what: 'notes of payments', count: 1 }
      ])
    )

    const {
      body: { data: after }
    } = await admin.get(`${INVOICES}/${id}`)
    expect(after).toMatchObject({
      number: before.number,
      total: before.total,
      paid: '10.00',
      patient: { id: patient.id, first_name: '', last_name: '' },
      payments: [{ amount: '10.00', note: null }]
    })
    const kept = instance.runtime.host.files.read(held[0].file)
    for (const locale of ['es', 'de']) {
      const sent = await admin.get(`${INVOICES}/${id}/pdf?locale=${locale}`)
      expect(sent.bytes.equals(Buffer.from(await kept))).toBe(true)
    }
    expect((await admin.get(`${INVOICES}?search=xochitl`)).body.total).toBe(0)
  })

  test('can still be paid', async () => {
    const patient = await aPatient(admin, ODD)
    const id = await invoiceOf(patient, 'issued')
    await erase(patient.id)
    expect(
      (await admin.post(`${INVOICES}/${id}/payments`, { amount: '121.00', method: 'card' })).body.data
    ).toMatchObject({ status: 'paid' })
  })

  test('are cancelled without the name if they are drafts, and cannot be issued', async () => {
    const patient = await aPatient(admin, ODD)
    const id = await invoiceOf(patient)
    expect((await erase(patient.id)).erased).toContainEqual({
      module: 'billing',
      what: 'invoice drafts, cancelled',
      count: 1
    })
    expect((await admin.get(`${INVOICES}/${id}`)).body.data).toMatchObject({
      status: 'cancelled',
      number: null,
      patient: { first_name: '', last_name: '' }
    })
    expect((await admin.post(`${INVOICES}/${id}/issue`)).body.code).toBe('wrong_state')
  })

  test('can’t be issued if they were drafted after the erasure', async () => {
    const [id] = await someInvoices(instance, 1, { first_name: '', last_name: '' })
    expect(await admin.post(`${INVOICES}/${id}/issue`)).toMatchObject({ status: 409, body: { code: 'patient_erased' } })
  })

  test('can lose the name only by the erasure, and the database lets no one add it again', async () => {
    const patient = await aPatient(admin, ODD)
    const id = await invoiceOf(patient, 'issued')
    const tried = (statement: string) =>
      instance.sql.unsafe(`update billing_invoice set ${statement} where id = '${id}'`).then(
        () => 'done',
        (error: Error) => error.message
      )
    expect(await tried(`patient_first_name = '', patient_last_name = ''`)).toMatch(/cannot be changed/)
    expect(await tried(`held_file = 'invoices/x.pdf', held_sha256 = ''`)).toMatch(/held/)
    await erase(patient.id)
    for (const statement of [
      `patient_first_name = 'Ada'`,
      'held_file = null, held_sha256 = null',
      `held_sha256 = 'f'`,
      'total = 1',
      `patient_first_name = '', held_file = 'invoices/other.pdf'`
    ]) {
      expect([statement, await tried(statement)]).toEqual([statement, expect.stringMatching(/cannot be changed/)])
    }
  })

  test('are not sent if their file is damaged, and the doctor reports it', async () => {
    const patient = await aPatient(admin, ODD)
    const id = await invoiceOf(patient, 'issued')
    const { held: [{ file, object }] } = await erase(patient.id)
    writeFileSync(join(instance.storage, 'documents', file), 'something else')
    expect(await admin.get(`${INVOICES}/${id}/pdf`)).toMatchObject({
      status: 500,
      body: { code: 'invoice_file_mismatch' }
    })
    const { body: { data } } = await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')
    expect(data.integrity).toContainEqual(expect.objectContaining({ code: 'invoice_damaged', object }))
  })
})

describe('the core\'s own rows', () => {
  test('lose texts in events and jobs, errors and responses, while those of other patients stay', async () => {
    const [patient, other] = [await aPatient(admin, ODD), await aPatient(admin)]
    const [budget_id, professional_id] = [randomUUID(), randomUUID()]
    const { db, events } = instance.runtime.host
    const [webhook]
      = await instance.sql`insert into core_webhook (clinic_id, url, events, secret, active) values (${instance.clinic.id}, 'https://93.184.215.14/', '{test.told}', 'x', true) returning id`
    const publish = (patient_id: string) =>
      db.transaction(tx =>
        events.publish(tx, 'test.told', {
          clinic_id: instance.clinic.id,
          patient_id,
          budget_id: patient_id === patient.id ? budget_id : randomUUID(),
          professional_id,
          reason: 'Xochitl says no',
          total: '12.00'
        })
      )
    const [mine, theirs] = [await publish(patient.id), await publish(other.id)]
    await instance.sql`update core_webhook set active = false where id = ${webhook!.id}`
    await instance.sql`insert into core_webhook_attempt (delivery_id, duration_ms, response_body) select id, 987654, 'Dear Xochitl' from core_webhook_delivery where event_id in (${mine}, ${theirs})`
    const jobs = await instance.sql`
      insert into core_delivery (module_name, kind, name, line, payload, status, last_error, next_attempt_at) values
        ('nobody', 'job', 'mail', 'a', ${instance.sql.json({ id: budget_id, message: 'Dear Xochitl', kind: 'sent' })}, 'pending', 'for Xochitl', now() + interval '1 day'),
        ('nobody', 'job', 'mail', 'b', ${instance.sql.json({ id: budget_id, message: 'Dear Xochitl', kind: 'sent' })}, 'done', null, now()),
        ('nobody', 'job', 'mail', 'c', ${instance.sql.json({ id: randomUUID(), professional_id, message: 'Dear Lucía' })}, 'done', 'for Lucía', now())
      returning id`

    const { erased } = await erase(patient.id)
    expect(erased.filter(({ module }: any) => module === 'core')).toEqual([
      { module: 'core', what: 'words in events', count: 1 },
      { module: 'core', what: 'words in jobs', count: 2 },
      { module: 'core', what: 'errors of deliveries', count: 1 },
      { module: 'core', what: 'answers to webhooks', count: 1 }
    ])
    const payload = async (id: string) =>
      (await instance.sql`select payload from core_event where id = ${id}`)[0]!.payload
    expect(await payload(mine)).toMatchObject({ patient_id: patient.id, budget_id, total: '12.00' })
    expect(await payload(mine)).not.toHaveProperty('reason')
    expect(await payload(theirs)).toHaveProperty('reason')
    const left
      = await instance.sql`select payload, last_error from core_delivery where id = any(${jobs.map(({ id }) => id)}) order by id`
    expect(left).toMatchObject([
      { payload: { id: budget_id, kind: 'sent' }, last_error: null },
      { payload: { id: budget_id, kind: 'sent' } },
      { payload: { message: 'Dear Lucía' }, last_error: 'for Lucía' }
    ])
    expect(JSON.stringify(left.slice(0, 2))).not.toContain('Xochitl')
    const answers
      = await instance.sql`select response_body from core_webhook_attempt join core_webhook_delivery d on d.id = delivery_id where event_id in (${mine}, ${theirs}) and duration_ms = 987654 order by response_body nulls first`
    expect(answers.map(({ response_body }) => response_body)).toEqual([null, 'Dear Xochitl'])
    await instance.sql`delete from core_webhook where id = ${webhook!.id}`
    await instance.sql`delete from core_delivery where module_name = 'nobody'`
  })

  test('lose messages to the patient, also after a crash, and no row repeats the address', async () => {
    const patient = await aPatient(admin, { ...ODD, email: `x${'y'.repeat(60)}@${'long-'.repeat(11)}x.odd.test` })
    const { mail, jobs, db } = instance.runtime.host
    const subject = 'A letter to Xochitl'
    const send = (to: string) => mail.send({ to, subject, text: 'Hello.' })
    await send(patient.email)
    await send(patient.email.toUpperCase())
    await send('other@patient.test')
    const leftover = join(instance.storage, 'outbox', `${lettersOf(subject)[0]}.0a1b2c.tmp`)
    writeFileSync(leftover, `To: ${patient.email}\r\nSubject: ${subject}\r\n\r\nHalf of it`)
    utimesSync(leftover, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000))

    expect(lettersOf(subject)).toHaveLength(4)
    expect((await erase(patient.id)).letters).toBe(3)
    expect(lettersOf(subject)).toHaveLength(1)
    const [job]
      = await instance.sql`select payload from core_delivery where module_name = 'core' and name = 'remove-letters' order by id desc limit 1`
    expect(JSON.stringify(job!.payload)).not.toContain('odd.test')

    await send(patient.email) // a crash would leave this
    await jobs('core').add(db, 'remove-letters', job!.payload)
    await eventually(async () => lettersOf(subject).length === 1, 'the removal')
  })

  test('keep messages to an address that another patient or a member has too', async () => {
    const [shared, subject] = ['family@shared.test', 'A letter to many']
    const [child] = [
      await aPatient(admin, { ...ODD, email: shared }),
      await aPatient(admin, { ...ODD, email: 'Family@shared.test' })
    ]
    const colleague = await aPatient(admin, { ...ODD, email: 'colleague@clinic.test' })
    await instance.sql`insert into core_user (email, first_name, last_name) values ('colleague@clinic.test', 'A', 'B')`
    for (const to of [shared, 'colleague@clinic.test'])
      await instance.runtime.host.mail.send({ to, subject, text: 'Hello.' })
    const before = lettersOf(subject)
    expect((await erase(child.id)).letters).toBe(0)
    expect((await erase(colleague.id)).letters).toBe(0)
    expect([before.length, lettersOf(subject)]).toEqual([2, before])
  })

  test('lose messages older than 30 days automatically', async () => {
    const outbox = join(instance.storage, 'outbox')
    mkdirSync(outbox, { recursive: true })
    const [old, recent] = ['2026-01-01-old.eml', '2026-01-01-recent.eml'].map(name => join(outbox, name)) as [
      string,
      string
    ]
    for (const file of [old, recent]) writeFileSync(file, 'To: a@b.test\r\n\r\n')
    const days = (count: number) => new Date(Date.now() - count * 86_400_000)
    utimesSync(old, days(31), days(31))
    utimesSync(recent, days(29), days(29))
    await pruneOldMails(instance.runtime.host)
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true])
  })
})

describe('the export', () => {
  test('is a ZIP with every module\'s records, the core\'s events, and files in folders', async () => {
    const patient = await aPatient(admin, ODD)
    const invoice = await invoiceOf(patient, 'issued')
    await aDraft(instance, { patient_id: patient.id, internal_notes: 'Wants to think.' })
    const { db, events } = instance.runtime.host
    await db.transaction(tx =>
      events.publish(tx, 'test.told', { clinic_id: instance.clinic.id, patient_id: patient.id })
    )
    const { number } = (await admin.get(`${INVOICES}/${invoice}`)).body.data

    const { status, headers, bytes } = await admin.get(`${PERSONS}/${patient.id}/export`)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/zip',
      'no-store'
    ])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="patient-${patient.id}.zip"`)
    const files = unzipSync(bytes)
    const text = strFromU8(files['export.json']!)
    const document = JSON.parse(text)
    expect(text).toContain('\n  "person"')
    expect(document).toMatchObject({
      person: { id: patient.id, name: 'Xochitl Quetzalcóatl' },
      clinic: 'Clínica Peñalver',
      exported_at: expect.stringMatching(/Z$/)
    })
    expect(document.modules.clinical.Patient).toMatchObject({ email: ODD.email, notes: ODD.notes })
    expect(document.modules.billing.Invoices).toMatchObject([{ number }])
    expect(document.events.map(({ name }: any) => name)).toContain('test.told')
    expect(strFromU8(files[`billing/${number}.pdf`]!.subarray(0, 5))).toBe('%PDF-')
    expect(Object.keys(files)).toEqual(expect.arrayContaining(document.files))
  })

  test('has the offer and the selection, with lines that add up to the total', async () => {
    const treatments = await aCatalog(admin)
    const global_discount = { type: 'amount', value: '30.00' }
    const { budget, view, price, accept } = await openOffer(
      instance,
      offers(() => treatments).offer({ global_discount })
    )
    const patient = (await admin.get(`${BUDGETS}/${budget.id}`)).body.data.patient_id as string
    const exported = async () => {
      const { bytes } = await admin.get(`${PERSONS}/${patient}/export`)
      return JSON.parse(strFromU8(unzipSync(bytes)['export.json']!)).modules.budget.budgets[0]
    }
    const pricesOf = (lines: any[]) => lines.map(line => line.price)
    const before = await exported()
    expect([pricesOf(before.lines), before.choices[0].options[0].chosen]).toEqual([['100.00'], null])

    const ids = idsOf(await view())
    const { content_digest } = (await price(dear(ids))).body.data
    await accept({ selection: dear(ids), content_digest })
    const { lines, totals, choices, decision } = await exported()
    expect([totals.total, pricesOf(lines)]).toEqual(['420.00', ['93.33', '280.00', '46.67']])
    expect(decision.consent_text).toContain('420')
    expect(choices[0].options).toMatchObject([
      { title: 'Bridge', description: null, chosen: false, lines: [{ price: '200.00' }] },
      { title: 'Implant', description: 'Lasts', chosen: true, lines: [{ price: '300.00' }] }
    ])
  })
})
