import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'

let instance: Instance
let mailbox: Mailbox
let staff: Caller

beforeAll(async () => {
  await loadDocuments()
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  staff = await instance.as('admin')
})
afterEach(() => { mailbox.answer = () => undefined })
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

const linkOf = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data.link
const rowOf = async (budget: { id: string, number: string }) =>
  (await staff.get(`${BUDGETS}?search=${budget.number}`)).body.data[0]
const resend = (id: string, body: object) => staff.post(`${BUDGETS}/${id}/resend`, body)
const letterWith = (text: string, n = 1) => eventually(async () => mailbox.with(text)[n - 1], `letter ${n}`)

describe('a message', () => {
  test('is sent as text and HTML with the link, without code, price or treatment, and detail and list show it', async () => {
    const budget = await aSentBudget(instance, {}, { channel: 'email', code: '918273', message: 'Hasta pronto' })
    const letter = await letterWith(budget.url)
    expect(letter).toMatchObject({
      to: 'lucia@patient.test',
      subject: 'Su presupuesto de tratamiento de Clínica Peñalver'
    })
    expect(letter.html).toContain(`href="${budget.url}"`)
    expect(letter.html).toMatch(/<html lang="es" dir="ltr">/)
    for (const part of [letter.raw, letter.text, letter.html, letter.subject]) {
      expect(part.replaceAll(budget.token, '')).not.toMatch(/918273|121[.,]00|Empaste|Filling|€/)
    }
    const link = await eventually(async () => {
      const state = await linkOf(budget.id)
      return state.delivery === 'sent' && state
    }, 'delivery')
    const delivered = {
      channel: 'email',
      delivery: 'sent',
      delivered_via: 'smtp',
      delivered_at: expect.stringMatching(/Z$/),
      delivery_error: null,
      delivery_error_code: null
    }
    expect(link).toMatchObject(delivered)
    expect(await rowOf(budget)).toMatchObject(delivered)
  })

  test.each([
    ['en', 'Dear Lucía,', 'ltr'], ['es', 'Hola, Lucía:', 'ltr'], ['fr', 'Bonjour Lucía,', 'ltr'],
    ['de', 'Guten Tag, Lucía.', 'ltr'], ['pt', 'Olá, Lucía.', 'ltr'], ['ar', 'مرحبًا', 'rtl']
  ])('is in the patient\'s language: %s', async (locale, greeting, dir) => {
    const patient = await aPatient(staff, { locale })
    const budget = await aSentBudget(instance, { patient_id: patient.id }, { channel: 'email' })
    const letter = await letterWith(budget.url)
    expect(letter.text).toContain(greeting)
    expect(letter.html).toContain(`<html lang="${locale}" dir="${dir}">`)
  })

  test('about a decided budget is the patient\'s copy', async () => {
    const budget = await aSentBudget(instance)
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    await resend(budget.id, { channel: 'email' })
    expect((await letterWith(budget.url)).subject).toMatch(/^Su copia/)
  })

  test('that was handed over by hand is not a delivery', async () => {
    const budget = await aSentBudget(instance)
    expect(await linkOf(budget.id)).toMatchObject({
      channel: 'manual',
      delivery: 'none',
      delivered_via: null,
      delivered_at: null,
      delivery_error: null
    })
    const draft = await aDraft(instance)
    expect(await linkOf(draft.id)).toMatchObject({ channel: null, delivery: 'none' })
  })
})

describe('a recipient that is refused', () => {
  test('is shown as a failure, in words that help the staff, and not tried again', async () => {
    mailbox.answer = () => 550
    const budget = await aSentBudget(instance, {}, { channel: 'email' })
    const link = await eventually(async () => {
      const state = await linkOf(budget.id)
      return state.delivery === 'failed' && state
    }, 'failure')
    expect(link).toMatchObject({ delivery_error_code: 'address_refused', delivered_via: null, delivered_at: null })
    expect(link.delivery_error).toMatch(/was refused/)
    // An id, a link's token or a timestamp may contain "550" by chance.
    const words = JSON.stringify([link, await rowOf(budget)]).replaceAll(/https?:[^"]+|[\da-f-]{36}|\d{4}-[\dT:.-]+Z/g, '')
    expect(words).not.toMatch(/internal\.example|says no|550/)
    const job = () =>
      instance.sql`select status, attempts from core_delivery where name = 'deliver-link' and payload->>'id' = ${budget.id}`
    expect([...await eventually(async () => {
      const rows = await job()
      return rows[0]?.status === 'done' && rows
    }, 'end')]).toEqual([{ status: 'done', attempts: 1 }])
  })
})

test('a message after an undelivered one does not count as a reminder', async () => {
  mailbox.answer = () => 550
  const budget = await aSentBudget(instance, {}, { channel: 'email' })
  await eventually(async () => (await linkOf(budget.id)).delivery === 'failed', 'failure')
  mailbox.answer = () => undefined
  await resend(budget.id, { channel: 'email' })
  expect((await letterWith(budget.url)).subject).toMatch(/^Su presupuesto/)
  await eventually(async () => (await linkOf(budget.id)).delivery === 'sent', 'delivery')
  await resend(budget.id, { channel: 'email' })
  expect((await letterWith(budget.url, 2)).subject).toMatch(/^Recordatorio/)
})

describe('a mail server that temporarily refuses a message', () => {
  test('gets it again until it accepts it, and no mailbox gets two', async () => {
    const patient = await aPatient(staff, { email: 'tried-again@patient.test' })
    let [refused, isSeen] = [0, false]
    mailbox.answer = (address) => {
      if (address !== patient.email || (refused >= 2 && isSeen)) return undefined
      refused += 1
      return 451
    }
    const budget = await aSentBudget(instance, { patient_id: patient.id }, { channel: 'email' })
    await eventually(async () => (await linkOf(budget.id)).delivery_error_code === 'server_refused', 'failure')
    isSeen = true
    await eventually(async () => (await linkOf(budget.id)).delivery === 'sent', 'delivery')
    expect(mailbox.with(budget.url)).toHaveLength(1)
    expect(refused).toBeGreaterThanOrEqual(2)
    expect(await linkOf(budget.id)).toMatchObject({
      delivery_error: null,
      delivery_error_code: null,
      delivered_via: 'smtp'
    })
  })

  test('does not get it after staff handed over the link', async () => {
    mailbox.answer = () => 451
    const budget = await aSentBudget(instance, {}, { channel: 'email' })
    await eventually(async () => (await linkOf(budget.id)).delivery === 'failed', 'failure')
    await resend(budget.id, { channel: 'manual' })
    // The server still refuses mails: a try in progress would arrive, and a later one would not end.
    await eventually(
      async () =>
        (
          await instance.sql`select from core_delivery where name = 'deliver-link' and payload->>'id' = ${budget.id} and status = 'pending'`
        ).length === 0,
      'end'
    )
    expect(mailbox.with(budget.url)).toEqual([])
    expect(await linkOf(budget.id)).toMatchObject({ channel: 'manual', delivery: 'none', delivery_error: null })
  })
})

describe('a message that waits for the mail server', () => {
  const settled = ({ id }: { id: string }) =>
    eventually(
      async () =>
        (
          await instance.sql`select from core_delivery where name = 'deliver-link' and payload->>'id' = ${id} and status = 'pending'`
        ).length === 0,
      'end'
    )

  test.each<[string, (budget: { id: string }) => Promise<unknown>]>([
    ['cancelled', ({ id }) => staff.post(`${BUDGETS}/${id}/cancel`, { reason: 'The wrong patient' })],
    ['replaced by a new version', async ({ id }) => {
      const { body } = await staff.post(`${BUDGETS}/${id}/revise`)
      expect((await staff.post(`${BUDGETS}/${body.data.id}/send`, { channel: 'manual' })).status).toBe(200)
    }]
  ])('is not sent if its budget was meanwhile %s', async (_, takeBack) => {
    mailbox.answer = () => 451
    const budget = await aSentBudget(instance, {}, { channel: 'email' })
    await eventually(async () => (await linkOf(budget.id)).delivery === 'failed', 'failure')
    await takeBack(budget)
    // The server still refuses mails, as above.
    await settled(budget)
    expect(mailbox.with(budget.url)).toEqual([])
    expect(await linkOf(budget.id)).toMatchObject({ channel: 'email', delivery: 'none', delivery_error: null })
  })

  test('is sent for a cancelled budget if staff send it on purpose', async () => {
    const budget = await aSentBudget(instance)
    await staff.post(`${BUDGETS}/${budget.id}/cancel`, {})
    expect((await resend(budget.id, { channel: 'email' })).status).toBe(200)
    expect((await letterWith(budget.url)).text).toContain('pero ya no aceptarlo ni rechazarlo')
  })
})

describe('a patient who meanwhile has no address', () => {
  test('causes a failure that explains what to do', async () => {
    const patient = await aPatient(staff)
    mailbox.answer = () => 451
    const budget = await aSentBudget(instance, { patient_id: patient.id }, { channel: 'email' })
    await eventually(async () => (await linkOf(budget.id)).delivery === 'failed', 'failure')
    await staff.patch(`/api/v1/clinical/patients/${patient.id}`, { email: null })
    await eventually(async () => (await linkOf(budget.id)).delivery_error_code === 'no_email', 'reason')
  })
})

describe('without a mail server', () => {
  test('the message is written to a file, and staff see that it was not sent', async () => {
    const alone = await anInstance()
    try {
      const budget = await aSentBudget(alone, {}, { channel: 'email' })
      const member = await alone.as('admin')
      const link = await eventually(async () => {
        const state = (await member.get(`${BUDGETS}/${budget.id}`)).body.data.link
        return state.delivery === 'sent' && state
      }, 'delivery')
      expect(link).toMatchObject({ channel: 'email', delivered_via: 'file', url: budget.url })
    } finally {
      await alone.close()
    }
  })
})
