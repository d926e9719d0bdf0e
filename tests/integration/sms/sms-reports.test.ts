import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aSentBudget, BUDGETS, eventually } from '../../support/builders.ts'
import type { Instance } from '../../support/instance.ts'
import { aGateway, type Gateway } from '../../support/outside/sms-gateway.ts'
import { aTwilio, postSigned, reportOf, type TwilioMessage, type TwilioStandIn } from '../../support/outside/twilio.ts'
import {
  aMessage, aMobilePatient, anInstanceWithSms, rowOf, senderCtx, smsOf, useGateway, useTwilio
} from '../../support/sms.ts'

let instance: Instance
let twilio: TwilioStandIn
let gateway: Gateway
beforeAll(async () => {
  [instance, twilio, gateway] = [await anInstanceWithSms(), await aTwilio(), await aGateway()]
})
afterAll(async () => {
  await instance?.close()
  await twilio?.close()
  await gateway?.close()
})

const send = (message: ReturnType<typeof aMessage>) => senderCtx(instance).channels.send('sms', message)
const answersOf = () => `${instance.url}/api/v1/public/sms/twilio/${instance.clinic.id}/answers`
const stopsOf = async (patient_id: string) => (await instance.sql`
  select channel, cause from sms_stop where patient_id = ${patient_id}`).map(row => ({ ...row }))

describe('a report of Twilio', () => {
  beforeEach(async () => {
    Object.assign(twilio.state, { faults: [], before_answer: null, calls: 0 })
    twilio.messages.length = 0
    await useTwilio(instance, twilio)
  })

  async function aSent() {
    const patient = await aMobilePatient(instance)
    const message = aMessage(instance, patient)
    await send(message)
    return { patient, message, sent: twilio.messages.at(-1)! }
  }
  const report = (sent: TwilioMessage, status: string, error?: number, token?: string) =>
    postSigned(sent.status_callback!, reportOf(sent, status, error), token)

  test('that the message is delivered is final, also if it comes twice and an older one comes late', async () => {
    const { message, sent } = await aSent()
    for (const status of ['sent', 'delivered', 'delivered', 'failed', 'sent'])
      expect([status, (await report(sent, status)).status]).toEqual([status, 204])
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'delivered', error: null })
  })

  test('that it failed can still be followed by its delivery', async () => {
    const { message, sent } = await aSent()
    await report(sent, 'undelivered', 30003)
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'failed', error: '30003' })
    await report(sent, 'delivered')
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'delivered', error: null })
  })

  test('that comes before the answer is kept', async () => {
    twilio.state.before_answer = sent => report(sent, 'delivered')
    const { message, sent } = await aSent()
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'delivered', ref: sent.sid })
  })

  test('that comes although the answer was lost shows that the message was taken, so that it is sent once', async () => {
    twilio.state.faults = ['lost']
    twilio.state.before_answer = sent => report(sent, 'delivered')
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toThrow()
    await send(message)
    expect([twilio.messages.length, twilio.state.calls]).toEqual([1, 1])
  })

  test('with a wrong signature, of another key, or changed on its way is refused and changes nothing', async () => {
    const { message, sent } = await aSent()
    expect((await report(sent, 'failed', undefined, 'a-key-of-another-person')).status).toBe(401)
    const fields = reportOf(sent, 'failed')
    const unsigned = await fetch(sent.status_callback!, { method: 'POST', body: new URLSearchParams(fields) })
    expect(unsigned.status).toBe(401)
    const other = sent.status_callback!.replace(message.id, randomUUID())
    const moved = await fetch(other, {
      method: 'POST',
      headers: { 'x-twilio-signature': (await import('twilio')).default.getExpectedTwilioSignature('x', other, fields) },
      body: new URLSearchParams(fields)
    })
    expect(moved.status).toBe(401)
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'sent' })
  })

  test('about a message of another clinic changes nothing, though its key is right', async () => {
    const { message, sent } = await aSent()
    const other = await instance.anotherClinic()
    await useTwilioIn(other)
    const url = sent.status_callback!.replace(instance.clinic.id, other.id)
    expect((await postSigned(url, reportOf(sent, 'failed'))).status).toBe(204)
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'sent' })
  })

  const useTwilioIn = async (clinic: { id: string }) => {
    const { status } = await (await instance.as('admin', clinic)).patch('/api/v1/clinic/settings/sms', {
      provider: 'twilio', twilio_account: `AC${'0'.repeat(31)}1`, twilio_token: 'token-of-the-clinic-0123456789', twilio_sender: '+34600000003'
    })
    expect(status).toBe(200)
  }

  test('of an error that ends the channel turns it off', async () => {
    const { patient, sent } = await aSent()
    await report(sent, 'undelivered', 30006)
    expect(await stopsOf(patient.id)).toEqual([{ channel: 'sms', cause: 'provider' }])
  })
})

describe('a patient who answers', () => {
  beforeEach(() => useTwilio(instance, twilio))

  test('STOP gets no more messages until staff turn the channel on again', async () => {
    const patient = await aMobilePatient(instance)
    await send(aMessage(instance, patient))
    const answer = await postSigned(answersOf(), { From: patient.number, To: '+34600000001', Body: 'Stop.' })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()])
      .toEqual([200, 'text/xml; charset=utf-8', '<Response/>'])
    expect(await stopsOf(patient.id)).toEqual([{ channel: 'sms', cause: 'answer' }])
    await expect(send(aMessage(instance, patient))).rejects.toMatchObject({ code: 'undeliverable' })
    const staff = await instance.as('receptionist')
    expect((await staff.post(`/api/v1/sms/patients/${patient.id}/turn-on`, { channel: 'sms' })).status).toBe(204)
    await send(aMessage(instance, patient))
  })

  test('by WhatsApp ends WhatsApp alone, and anything else ends nothing', async () => {
    const patient = await aMobilePatient(instance)
    await send(aMessage(instance, patient))
    await postSigned(answersOf(), { From: patient.number, Body: 'Gracias' })
    expect(await stopsOf(patient.id)).toEqual([])
    await postSigned(answersOf(), { From: `whatsapp:${patient.number}`, Body: 'baja' })
    expect(await stopsOf(patient.id)).toEqual([{ channel: 'whatsapp', cause: 'answer' }])
    await send(aMessage(instance, patient))
  })

  test('without Twilio’s signature is not heard', async () => {
    const patient = await aMobilePatient(instance)
    expect((await postSigned(answersOf(), { From: patient.number, Body: 'STOP' }, 'another key')).status).toBe(401)
    expect(await stopsOf(patient.id)).toEqual([])
  })
})

describe('a report of a gateway', () => {
  let address: string
  beforeAll(async () => {
    await useGateway(instance, gateway, { http_ref: 'messages.0.id' })
    address = (await (await instance.as('admin')).get('/api/v1/sms/status')).body.data.gateway_address
  })
  const post = (body: unknown, url = address) => fetch(url, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
  })

  test('names the message by our id or by its own, in JSON or as a form', async () => {
    const patient = await aMobilePatient(instance)
    const [first, second] = [aMessage(instance, patient), aMessage(instance, patient)]
    await send(first)
    await send(second)
    expect((await post({ id: first.id, state: 'delivered' })).status).toBe(204)
    const { ref } = await rowOf(instance, second.id)
    const form = await fetch(address, { method: 'POST', body: new URLSearchParams({ messageId: ref, status: 'UNDELIV' }) })
    expect(form.status).toBe(204)
    expect([await rowOf(instance, first.id), await rowOf(instance, second.id)])
      .toMatchObject([{ state: 'delivered' }, { state: 'failed' }])
  })

  test('can be an answer: STOP ends the channel', async () => {
    const patient = await aMobilePatient(instance)
    await send(aMessage(instance, patient))
    expect((await post({ from: patient.number.slice(1), text: 'BAJA' })).status).toBe(204)
    expect(await stopsOf(patient.id)).toEqual([{ channel: 'sms', cause: 'answer' }])
  })

  test('to any other address is not found, and a new key makes a new address', async () => {
    for (const url of [address.slice(0, -1), `${address}A`, address.replace(/\.[^.]+$/, '')])
      expect((await post({ id: 'x', state: 'delivered' }, url)).status).toBe(404)
    await useGateway(instance, gateway, { http_key: 'another key' })
    expect((await post({ id: 'x', state: 'delivered' })).status).toBe(404)
    await useGateway(instance, gateway)
    expect((await post('no report')).status).toBe(422)
  })
})

test('one budget: the link goes by SMS and is reported delivered, the code goes by email', async () => {
  await useTwilio(instance, twilio)
  twilio.messages.length = 0
  const staff = await instance.as('admin')
  await staff.patch('/api/v1/clinic/settings/budget', { code_by: 'email' })
  const patient = await aMobilePatient(instance)
  const budget = await aSentBudget(instance, { patient_id: patient.id }, { channel: 'sms' })
  const sent = await eventually(async () => twilio.messages.find(({ to }) => to === patient.number), 'the text message')
  expect(sent.body).toMatch(/^Clinica Pe.alver: .*\/b\/\w{4}-\w{4}$/)
  for (const secret of ['Lucía', 'Muñoz', '121']) expect(sent.body).not.toContain(secret)
  await postSigned(sent.status_callback!, reportOf(sent, 'delivered'))
  await eventually(async () => (await staff.get(`${BUDGETS}/${budget.id}`)).body.data.link.delivery === 'delivered', 'its delivery')

  const { status, body } = await instance.anonymous().post(`${budget.base}/codes`, { channel: 'email' })
  expect([status, body.data.sent_to]).toEqual([202, expect.stringMatching(/•••@patient\.test$/)])
  expect((await instance.anonymous().post(`${budget.base}/codes`, { channel: 'sms' })).status).toBe(422)
  const { messages } = (await staff.get(`/api/v1/sms/patients/${patient.id}`)).body.data
  expect(messages).toMatchObject([{ kind: 'link', state: 'delivered', parts: 1, encoding: 'gsm7' }])
  expect(smsOf(instance).definition.channels).toHaveProperty('whatsapp')
})
