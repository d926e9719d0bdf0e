import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aSentBudget, BUDGETS, eventually } from '../../../support/builders.ts'
import { createCaller, type Caller } from '../../../support/caller.ts'
import type { Instance } from '../../../support/instance.ts'
import {
  anInstanceWithTexting, aPatientWithPhone, aTextedBudget, aTextedDraft, becomes, linkOf, setMode, textsTo
} from '../../../support/texting.ts'

const CHANNELS = '/api/v1/budget/channels'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstanceWithTexting()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())
afterEach(() => setMode(instance, 'on'))

const list = async (query = '', caller = staff) => (await caller.get(`${CHANNELS}${query}`)).body.data
const texting = async (query = '', caller = staff) =>
  (await list(query, caller)).find(({ name }: { name: string }) => name === 'texting')
const events = async (id: string, name: string) =>
  (await instance.sql`select payload from core_event where name = ${name} and payload->>'budget_id' = ${id}`)
    .map(({ payload }) => payload)
const send = (id: string, fields: object = {}) =>
  staff.post(`${BUDGETS}/${id}/send`, { channel: 'texting', code: '482913', ...fields })

describe('the channels', () => {
  test('are email, those of modules and handing over, each with a label', async () => {
    expect(await list()).toEqual([
      { name: 'email', label: 'Email', ready: true, reason: null },
      { name: 'texting', label: 'Text message', ready: true, reason: null },
      { name: 'board', label: 'Notice board', ready: true, reason: null },
      { name: 'manual', label: 'Hand it over yourself', ready: true, reason: null }
    ])
    expect((await list('?locale=es')).map(({ label }: { label: string }) => label))
      .toEqual(['Correo electrónico', 'Mensaje de texto', 'Notice board', 'Entregarlo usted'])
  })

  test('have a reason in the reader’s language when they are not ready', async () => {
    await setMode(instance, 'off')
    expect(await texting()).toMatchObject({ ready: false, reason: 'No sender is set.' })
    expect(await texting('?locale=es')).toMatchObject({ ready: false, reason: 'Falta el remitente.' })
  })

  test('are listed even if the code of one throws', async () => {
    await setMode(instance, 'broken')
    expect(await texting()).toMatchObject({ ready: false, reason: 'This channel isn’t working right now.' })
    expect((await list()).filter(({ ready }: { ready: boolean }) => ready)).toHaveLength(3)
  })

  test('of a budget are those of its patient, without the address for a program', async () => {
    const { draft, phone } = await aTextedDraft(instance)
    const query = `?budget_id=${draft.id}`
    expect(await texting(query)).toEqual({
      name: 'texting', label: 'Text message', ready: true, reason: null, short: true, address: phone
    })
    const { body } = await staff.post('/api/v1/tokens', { name: 'Practice software', scopes: ['budget.read'] })
    const program = createCaller(instance.url, { bearer: body.data.token })
    expect((await texting(query, program)).address).toBe(`•••${phone.slice(-2)}`)
    expect(JSON.stringify(await list(query, program))).not.toMatch(/"p\d+@patient/)
  })

  test('of a patient without an address, or with one that the channel refuses, are not ready', async () => {
    const { draft } = await aTextedDraft(instance, { phone: null, email: null })
    expect(await list(`?budget_id=${draft.id}`)).toMatchObject([
      { name: 'email', ready: false, reason: 'The patient has no email address.' },
      { name: 'texting', ready: false, reason: 'The patient has no address for this channel.' },
      { name: 'board', ready: true },
      { name: 'manual', ready: true }
    ])
    const landline = await aTextedDraft(instance, { phone: '+34912345678' })
    expect(await texting(`?budget_id=${landline.draft.id}`))
      .toMatchObject({ ready: false, reason: 'A landline gets no texts.' })
  })

  test('of another clinic’s budget are unknown', async () => {
    const { draft } = await aTextedDraft(instance)
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.get(`${CHANNELS}?budget_id=${draft.id}`)).status).toBe(404)
  })
})

describe('a link', () => {
  test('is sent by a module’s channel in one short text with the short address, and never with the code', async () => {
    const budget = await aTextedBudget(instance)
    const link = await becomes(instance, budget.id, 'sent')
    expect(link).toMatchObject({ channel: 'texting', delivered_via: null, delivery_error: null, delivery_reason: null })
    const [sent, ...more] = await textsTo(instance, budget.phone)
    expect(more).toEqual([])
    expect(sent).toMatchObject({ kind: 'link', locale: 'es', url: link.short_url, subject: null, calls: 1 })
    expect(sent!.text).toContain(link.short_url)
    expect(sent!.text).toMatch(/^Clinica Peñalver: /)
    expect(sent!.text.length).toBeLessThanOrEqual(160)
    expect(sent!.text).not.toMatch(/482913|Lucía|121/)
    expect(await events(budget.id, 'budget.sent')).toEqual([expect.objectContaining({ channel: 'texting' })])
    const { body } = await staff.get(`${BUDGETS}/${budget.id}/access-log`)
    expect(body.data).toContainEqual(
      expect.objectContaining({ action: 'link_sent', detail: expect.objectContaining({ channel: 'texting' }) })
    )
  })

  test('is sent by a channel with long texts like an email, and staff see that it is only a file', async () => {
    const { id: patient_id } = await aPatientWithPhone(instance)
    const budget = await aSentBudget(instance, { patient_id }, { channel: 'board', message: 'Hasta pronto' })
    expect(await becomes(instance, budget.id, 'sent')).toMatchObject({ channel: 'board', delivered_via: 'file' })
    const [sent] = await textsTo(instance, `board-${patient_id}`)
    expect(sent).toMatchObject({ kind: 'link', url: budget.url })
    expect(sent!.subject).toContain('Clínica Peñalver')
    expect(sent!.text).toContain('Hasta pronto')
    expect(sent!.text).toContain(budget.url)
  })

  test.each<[string, object, number, string]>([
    ['by an unknown channel', { channel: 'pigeon' }, 422, 'email, texting, board, manual'],
    ['with a message that is too long for a short text', { message: 'See you soon' }, 422, 'too short']
  ])('is refused %s', async (_, fields, status, words) => {
    const { draft } = await aTextedDraft(instance)
    const answer = await send(draft.id, fields)
    expect([answer.status, answer.body.code]).toEqual([status, 'validation_failed'])
    expect(answer.body.errors[0].message).toContain(words)
    expect(await linkOf(instance, draft.id)).toMatchObject({ state: 'none' })
  })

  test('is refused by a channel that is not ready, with its reason', async () => {
    await setMode(instance, 'off')
    const { draft } = await aTextedDraft(instance)
    expect((await send(draft.id)).body)
      .toMatchObject({ status: 422, code: 'channel_not_ready', detail: 'No sender is set.', channel: 'texting' })
    await setMode(instance, 'on')
    const { draft: without } = await aTextedDraft(instance, { phone: null })
    expect((await send(without.id)).body).toMatchObject({ status: 422, code: 'channel_not_ready' })
    expect(await linkOf(instance, without.id)).toMatchObject({ state: 'none' })
    const sent = await aSentBudget(instance)
    expect((await staff.post(`${BUDGETS}/${sent.id}/resend`, { channel: 'texting' })).body.code).toBe('channel_not_ready')
  })

  test('waits for a provider that is down, shows the provider\'s reason, and is sent once', async () => {
    await setMode(instance, 'down')
    const budget = await aTextedBudget(instance)
    expect(await becomes(instance, budget.id, 'failed')).toMatchObject({
      delivery_error_code: 'other',
      delivery_reason: 'The gateway is down for maintenance.'
    })
    await setMode(instance, 'on')
    expect(await becomes(instance, budget.id, 'sent')).toMatchObject({ delivery_error: null, delivery_reason: null })
    expect(await textsTo(instance, budget.phone)).toMatchObject([{ calls: 1 }])
  })

  test('is sent by another channel at once even if its first message still waits for the provider', async () => {
    await setMode(instance, 'down')
    const budget = await aTextedBudget(instance)
    await becomes(instance, budget.id, 'failed')
    await eventually(async () => (await instance.sql`
      update core_delivery set next_attempt_at = now() + interval '1 day'
      where name = 'deliver-link' and payload->>'id' = ${budget.id} and last_error is not null returning id`)[0], 'the failure')
    expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email' })).status).toBe(200)
    expect(await becomes(instance, budget.id, 'sent')).toMatchObject({ channel: 'email' })
  })

  test('is sent again with the same id if the response was lost', async () => {
    await setMode(instance, 'lost')
    const budget = await aTextedBudget(instance)
    await becomes(instance, budget.id, 'sent')
    expect(await textsTo(instance, budget.phone)).toMatchObject([{ calls: 2 }])
  })

  test('is not tried again if it can never arrive: the budget needs attention until it is sent in another way', async () => {
    await setMode(instance, 'refuse')
    const budget = await aTextedBudget(instance)
    expect(await becomes(instance, budget.id, 'failed')).toMatchObject({
      delivery_error_code: 'undeliverable',
      delivery_reason: 'The number does not exist.'
    })
    await eventually(async () => (await instance.sql`
      select from core_delivery where name = 'deliver-link' and payload->>'id' = ${budget.id} and status = 'pending'`
    ).length === 0, 'the end of the job')
    const needing = async () =>
      (await staff.get(`${BUDGETS}?attention=undelivered&page_size=100`)).body.data.map(({ id }: { id: string }) => id)
    expect(await needing()).toContain(budget.id)
    const resent = await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email' })
    expect(resent.status).toBe(200)
    await becomes(instance, budget.id, 'sent')
    expect(await needing()).not.toContain(budget.id)
    expect(await events(budget.id, 'budget.reminder_sent')).toEqual([expect.objectContaining({ channel: 'email' })])
  })
})
