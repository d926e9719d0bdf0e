import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aDraft, aPatient, ACCEPTANCE, aProfessional, BUDGETS, eventually } from '../support/builders.ts'
import { svc } from '../support/cli.ts'
import { aDrawing } from '../support/documents/budget-document.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { loadDocuments } from '../support/documents/load-documents.ts'
import { aMailbox, type Mailbox } from '../support/outside/mailbox.ts'
import { PASSWORD } from '../support/people.ts'
import { aReceiver, type Receiver } from '../support/outside/receiver.ts'

/**
 * Follows a budget from creation to erasure at LOG_LEVEL=debug, while everything that can fail does. Neither the
 * service's log nor the output of commands may contain a person's name, or anything that opens a link.
 */
let instance: Instance
let mailbox: Mailbox
let receiver: Receiver
const written: string[] = []
const printed: string[] = []
/** What no line may contain: the kind of secret → the text. */
const secret: Record<string, string> = {
  'first name': 'Xochiquetzal',
  'last name': 'Zapotécatl',
  'e-mail': 'xq-unique@patient.test',
  'phone': '+34 699 777 001',
  'phone, digits': '699777001',
  'signer': 'Quirimbau',
  'reason': 'overpriced molars',
  'note': 'whispers',
  'password': PASSWORD,
  'wrong password': 'hunter2-unlikely',
  'code': '73915482',
  'wrong code': '73915483',
  'new code': '20468135',
  'staff\'s e-mail': 'colleague-unique@clinic.test',
  'answer': 'Dear Xochi'
}

beforeAll(async () => {
  for (const stream of [process.stderr, process.stdout]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk: unknown) => {
      written.push(String(chunk))
      return true
    })
  }
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void written.push(words.map(String).join(' ')))
  await loadDocuments()
  mailbox = await aMailbox()
  receiver = await aReceiver()
  instance = await anInstance({
    env: {
      LOG_LEVEL: 'debug',
      NODE_ENV: 'production',
      SVC_SMTP_URL: mailbox.url,
      SVC_MAIL_FROM: 'clinic@service.test',
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true'
    }
  })
})
afterAll(async () => {
  await instance?.close()
  await mailbox?.close()
  await receiver?.close()
  vi.restoreAllMocks()
})

const CODE = secret.code!
const PERSON = {
  first_name: secret['first name'],
  last_name: secret['last name'],
  email: secret['e-mail'],
  phone: secret.phone,
  notes: secret.note
}

async function aBudget(patient_id: string, channel: 'email' | 'manual' = 'email') {
  const staff = await instance.as('admin')
  const draft = await aDraft(instance, {
    patient_id,
    professional_id: (await aProfessional(instance)).id,
    internal_notes: `${secret['first name']} ${secret.note}`
  })
  const { body } = await staff.post(`${BUDGETS}/${draft.id}/send`, {
    channel,
    code: CODE,
    message: `Hello ${secret['first name']}`
  })
  const token = body.data.url.split('/').at(-1) as string
  secret[`token of ${draft.number}`] = token
  return { id: draft.id as string, token, base: `/api/v1/public/budgets/${token}` }
}

describe('the log', () => {
  test('is written for a flow in which every failure occurs', async () => {
    const staff = await instance.as('admin')
    const patient = await aPatient(staff, PERSON)
    const webhook = await staff.post('/api/v1/webhooks', {
      url: `${receiver.url}/hook`,
      events: ['*'],
      include_reason: true
    })
    secret['webhook secret'] = webhook.body.data.secret
    receiver.answer('/hook', response => response.writeHead(500).end(`${secret.answer}: not today`))

    // Accounts: sign-ins that fail, and mails with tokens.
    await instance
      .anonymous()
      .post('/api/v1/auth/login', { email: secret['staff\'s e-mail'], password: secret['wrong password'] })
    await staff.post('/api/v1/users', {
      email: secret['staff\'s e-mail'],
      first_name: 'Col',
      last_name: 'League',
      role: 'dentist'
    })
    await instance.anonymous().post('/api/v1/auth/password-reset', { email: secret['staff\'s e-mail'] })
    const letters = () => mailbox.letters.filter(({ to }) => to === secret['staff\'s e-mail'])
    await eventually(async () => letters().length >= 1, 'the invitation')
    letters().forEach(({ text }, at) => { secret[`mailed token ${at}`] = /#([\w-]{20,})/.exec(text)![1]! })
    await instance.anonymous().post('/api/v1/auth/invitation', { token: secret['mailed token 0'], password: 'short' })

    // The link: wrong codes until it is locked, broken requests, then the right code.
    const budget = await aBudget(patient.id)
    const visitor = instance.anonymous()
    for (let turn = 0; turn < 5; turn++) await visitor.post(`${budget.base}/verify`, { code: secret['wrong code'] })
    await visitor.post(`${budget.base}/verify`, { code: CODE })
    await visitor.post(`${budget.base}/verify`, undefined, {
      raw: `{"code": "${CODE}" `,
      headers: { 'content-type': 'application/json' }
    })
    await visitor.get(`${budget.base}?name=${secret['first name']}&code=${CODE}`)
    await visitor.get(`/api/v1/public/budgets/${budget.token}x/meta`)
    await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, { reason: `${secret['first name']} rang` })
    await staff.post(`${BUDGETS}/${budget.id}/set-public-code`, { code: secret['new code'] })
    await visitor.post(`${budget.base}/verify`, { code: secret['new code'] })
    for (const [name, { value }] of visitor.cookies) secret[`cookie ${name.split('@')[0]}`] = value
    await visitor.get(budget.base)
    await visitor.get(`${budget.base}/pdf`)
    await visitor.post(`${budget.base}/accept`, { ...ACCEPTANCE, signer_name: 'x'.repeat(5000) })

    // Nothing can be stored for a while: sealing the PDF fails, and succeeds later.
    const documents = join(instance.storage, 'documents')
    writeFileSync(documents, 'no folder')
    const accepted = await visitor.post(`${budget.base}/accept`, {
      ...ACCEPTANCE,
      signer_name: secret.signer,
      signature: { method: 'drawn', image: `data:image/png;base64,${aDrawing().toString('base64')}` }
    })
    expect(accepted.status).toBe(200)
    await eventually(async () => written.some(line => line.includes('signed_pdf.failed')), 'the failure')
    renameSync(documents, `${documents}.aside`)
    await eventually(
      async () => (await staff.get(`${BUDGETS}/${budget.id}`)).body.data.signed_pdf.status === 'ready',
      'the signed PDF'
    )
    await visitor.get(`${budget.base}/pdf/signed`)

    // Another budget is rejected with a reason of the patient, and its mails bounce or are deferred.
    mailbox.answer = address => address === secret['e-mail'] ? 451 : undefined
    const second = await aBudget(patient.id)
    await eventually(
      async () => written.some(line => line.includes('delivery.failed') && line.includes('deliver-link')),
      'a letter that is put off'
    )
    mailbox.answer = address => address === secret['e-mail'] ? 550 : undefined
    await staff.post(`${BUDGETS}/${second.id}/resend`, { channel: 'email' })
    await eventually(async () => written.some(line => line.includes('link.refused')), 'a letter that is refused')
    const other = instance.anonymous()
    await other.post(`${second.base}/verify`, { code: CODE })
    for (const [name, { value }] of other.cookies) secret[`second cookie ${name.split('@')[0]}`] = value
    expect(
      (
        await other.post(`${second.base}/reject`, {
          reason: `${secret.reason}, says ${secret['first name']}`,
          signer_name: secret.signer
        })
      ).status
    ).toBe(200)
    await eventually(async () => written.some(line => line.includes('webhook.failed')), 'a webhook that fails')

    // The database fails during a request and during a job.
    await instance.sql`alter table clinical_patient rename to clinical_patient_away`
    expect(
      (await staff.get(`/api/v1/clinical/patients?search=${encodeURIComponent(secret['first name']!)}`)).status
    ).toBe(500)
    expect(
      (await staff.patch(`/api/v1/clinical/patients/${patient.id}`, { first_name: secret['first name'] })).status
    ).toBe(500)
    await instance.sql`alter table clinical_patient_away rename to clinical_patient`
    await instance.sql`alter table clinical_patient add constraint odd check (notes <> ${instance.sql.unsafe(`'${secret.note}!'`)})`
    await staff.patch(`/api/v1/clinical/patients/${patient.id}`, { notes: `${secret.note}!` })
    await instance.sql`alter table clinical_patient drop constraint odd`

    const { status } = await staff.get(`/api/v1/clinic/persons/${patient.id}/export`)
    expect(status).toBe(200)
  }, 90_000)

  test('is completed with the output of commands', async () => {
    const [patient] = await instance.sql`select id from clinical_patient where first_name = ${secret['first name']!}`
    const env = {
      DATABASE_URL: instance.runtime.host.config.database_url!,
      SVC_STORAGE: instance.storage,
      SVC_SECRET: 'a secret for tests, long enough to pass',
      LOG_LEVEL: 'debug'
    }
    for (const words of [
      ['modules', 'doctor'],
      ['modules', 'info', 'budget'],
      ['privacy', 'erase', patient!.id, '--dry-run'],
      ['privacy', 'export', patient!.id, '--out', join(instance.storage, 'x.zip')]
    ]) {
      const { stdout, stderr } = await svc(words, { env })
      printed.push(stdout, stderr)
    }
    expect(printed.join('')).toContain('Would be erased')
  }, 90_000)

  test('is written for the erasure too', async () => {
    const [patient] = await instance.sql`select id from clinical_patient where first_name = ${secret['first name']!}`
    const { status, body } = await (
      await instance.as('admin')
    ).post(`/api/v1/clinic/persons/${patient!.id}/erase`, { dry_run: false })
    expect([status, body.code]).toEqual([200, undefined])
    printed.push(JSON.stringify(body))
    await instance.restart()
    expect(written.some(line => line.includes('privacy.erased'))).toBe(true)
  })

  test('contains no token, code, cookie, password, name, address or number', () => {
    const lines = [...written.join('').split('\n'), ...printed.join('\n').split('\n')]
    const events = new Set(lines.flatMap(line => /^\{.*"event":"([\w.]+)"/.exec(line)?.[1] ?? []))
    expect([...events]).toEqual(
      expect.arrayContaining([
        'http.error',
        'mail.sent',
        'delivery.failed',
        'link.refused',
        'webhook.failed',
        'signed_pdf.failed',
        'privacy.exported',
        'privacy.erased'
      ])
    )
    const found = Object.entries(secret).flatMap(([what, text]) =>
      lines
        .filter(line => line.toLowerCase().includes(text.toLowerCase()))
        .slice(0, 3)
        .map(line => `${what}: ${line}`)
    )
    expect(found).toEqual([])
  })

  test('has none of these texts, and neither do the rows that keep errors', async () => {
    const rows = await instance.sql`
      select last_error as text from core_delivery where last_error is not null union all select last_error from core_webhook where last_error is not null
      union all select error from core_webhook_attempt where error is not null union all select detail::text from budget_access_log where action = 'signed_pdf_error'
      union all select key from core_rate_limit`
    expect(rows.length).toBeGreaterThan(3)
    const found = Object.entries(secret).flatMap(([what, text]) =>
      rows.filter(row => row.text.toLowerCase().includes(text.toLowerCase())).map(row => `${what}: ${row.text}`)
    )
    expect(found).toEqual([])
  })

  test('of accesses, which leaves the clinic with the evidence, names no folder of this machine', async () => {
    const rows
      = await instance.sql`select detail->>'error' as error from budget_access_log where action = 'signed_pdf_error'`
    expect(rows.length).toBeGreaterThan(0)
    for (const { error } of rows) expect(error).not.toContain(instance.storage)
  })
})
