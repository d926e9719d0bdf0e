import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '../../support/instance.ts'
import { aGateway, type Gateway } from '../../support/outside/sms-gateway.ts'
import { aTwilio, SENDER, type TwilioStandIn } from '../../support/outside/twilio.ts'
import {
  aMessage, aMobilePatient, anInstanceWithSms, rowOf, senderCtx, setSms, smsOf, today, useGateway, useTwilio
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
beforeEach(async () => {
  await instance.sql`delete from sms_day`
  await setSms(instance, { daily_limit: 500 })
})

const send = (message: ReturnType<typeof aMessage>, channel = 'sms') => senderCtx(instance).channels.send(channel, message)
const readyFor = async (phone: string | null, channel = 'sms', locale = 'en') => {
  const clinic_id = instance.clinic.id
  const recipient = { clinic_id, id: randomUUID(), email: null, phone, locale }
  return await senderCtx(instance).channels.find(channel, { clinic_id, locale, recipient })
}

describe('a clinic without a provider', () => {
  beforeEach(() => setSms(instance, { provider: 'none' }))

  test('has its messages in files, each once', async () => {
    const patient = await aMobilePatient(instance)
    const message = aMessage(instance, patient)
    expect(await send(message)).toEqual({ ref: message.id, via: 'file' })
    await send(message)
    const text = readFileSync(join(instance.storage, 'outbox', `${message.id}.txt`), 'utf8')
    expect(text).toContain(`To: ${patient.number}\n`)
    expect(text).toContain(message.text)
    expect(await rowOf(instance, message.id)).toMatchObject({
      state: 'sent', via: 'file', kind: 'link', patient_id: patient.id, encoding: 'gsm7', parts: 1
    })
    expect(await today(instance, instance.clinic.id)).toEqual({ sent: 1, refused: 0 })
  })

  test('has no WhatsApp, and the staff read why', async () => {
    expect(await readyFor('600112233', 'whatsapp')).toMatchObject({
      ready: false, reason: 'WhatsApp needs Twilio and a WhatsApp sender. Set them up in Settings.'
    })
  })
})

describe('a number', () => {
  test('is E.164 by the clinic’s country, and mostly hidden', async () => {
    expect(await readyFor('600 112 233')).toMatchObject({ ready: true, address: '+34600112233', hidden_address: '•••33' })
  })

  test.each([
    ['91 123 45 67', 'en', 'This is a landline, which gets no text messages. Add a mobile number.'],
    ['91 123 45 67', 'ar', 'هذا رقم هاتف ثابت لا يستقبل الرسائل النصية. أضيفوا رقم جوال.'],
    ['600 1', 'de', 'Diese Telefonnummer kann es nicht geben. Prüfen Sie sie mit der Patientin oder dem Patienten.'],
    [null, 'fr', 'Le patient n’a pas de numéro de téléphone.']
  ])('%s is not ready, in %s', async (phone, locale, reason) => {
    expect(await readyFor(phone, 'sms', locale)).toMatchObject({ ready: false, reason, address: null })
  })
})

describe('a gateway', () => {
  beforeEach(async () => {
    gateway.calls.length = 0
    await useGateway(instance, gateway, {
      http_headers: 'Content-Type: application/json\nAuthorization: Bearer {key}', http_ref: 'messages.0.id'
    })
  })

  test('gets number, text and id as the template says, and its name for the message is kept', async () => {
    const message = aMessage(instance, await aMobilePatient(instance), { text: 'He said "hello" \\ {id}\n' })
    const sent = await send(message)
    const [call] = gateway.calls
    expect([call!.method, call!.path, call!.headers.authorization]).toEqual(['POST', '/send', 'Bearer gateway-key-7'])
    const { report_to, ...body } = JSON.parse(call!.body)
    expect(body).toEqual({ to: message.to, text: message.text, id: message.id })
    expect(report_to).toContain(`/api/v1/public/sms/gateway/${instance.clinic.id}.`)
    expect(sent).toEqual({ ref: message.id })
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'sent', via: 'http', ref: 'gw-1' })
  })

  test('that refuses a message ends it, and its place in the limit is free again', async () => {
    gateway.state.answers = [422]
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toMatchObject({ code: 'undeliverable', fields: { detail: 'El proveedor ha rechazado este mensaje.' } })
    await expect(send(message)).rejects.toMatchObject({ code: 'undeliverable' })
    expect(gateway.calls).toHaveLength(1)
    expect(await today(instance, instance.clinic.id)).toEqual({ sent: 0, refused: 0 })
  })

  test('with a wrong key, or that is down, gets the message again with the same id', async () => {
    gateway.state.answers = [401, 503]
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toThrow('did not take the message (401)')
    expect([await rowOf(instance, message.id), await today(instance, instance.clinic.id)])
      .toMatchObject([{ state: 'waiting' }, { sent: 0 }])
    await expect(send(message)).rejects.toThrow('no usable answer (503)')
    expect([await rowOf(instance, message.id), await today(instance, instance.clinic.id)])
      .toMatchObject([{ state: 'sending' }, { sent: 1 }])
    await send(message)
    expect(gateway.calls.map(({ body }) => JSON.parse(body).id)).toEqual([message.id, message.id, message.id])
    expect([await rowOf(instance, message.id), await today(instance, instance.clinic.id)])
      .toMatchObject([{ state: 'sent' }, { sent: 2 }])
  })

  test('that never answers gets a message three times, each within the limit, and then it failed', async () => {
    gateway.state.answers = [503, 401, 503, 503]
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toThrow('no usable answer (503)')
    await expect(send(message)).rejects.toThrow('did not take the message (401)')
    await expect(send(message)).rejects.toThrow('no usable answer (503)')
    expect(await today(instance, instance.clinic.id)).toEqual({ sent: 2, refused: 0 })
    const failed = { code: 'undeliverable', fields: { reason: 'unconfirmed', detail: expect.stringContaining('en tres intentos') } }
    await expect(send(message)).rejects.toMatchObject(failed)
    await expect(send(message)).rejects.toMatchObject(failed)
    expect(gateway.calls).toHaveLength(4)
    expect([await rowOf(instance, message.id), await today(instance, instance.clinic.id)])
      .toMatchObject([{ state: 'failed', error: 'unconfirmed' }, { sent: 3 }])
  })

  test('gets no message again once the day\'s limit is reached', async () => {
    gateway.state.answers = [503]
    await setSms(instance, { daily_limit: 1 })
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toThrow('no usable answer (503)')
    await expect(send(message)).rejects.toMatchObject({ code: 'undeliverable', fields: { reason: 'limit' } })
    expect(gateway.calls).toHaveLength(1)
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'failed', error: 'limit' })
  })

  test('that hangs ends the attempt within its time limit, and the doctor reports it later', { timeout: 30_000 }, async () => {
    gateway.state.answers = ['hang']
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toThrow('no usable answer (timeout)')
    const { definition: { doctor }, ctx } = smsOf(instance)
    expect(await doctor!(ctx)).toEqual([])
    await instance.sql`update sms_failing set since = now() - interval '20 minutes'`
    await instance.sql`update sms_message set created_at = now() - interval '2 hours' where id = ${message.id}`
    expect((await doctor!(ctx)).map(({ code }) => code).sort()).toEqual(['sms_messages_stuck', 'sms_provider_failing'])
    await send(message)
    expect(await doctor!(ctx)).toEqual([])
  })
})

describe('Twilio', () => {
  beforeEach(async () => {
    Object.assign(twilio.state, { faults: [], before_answer: null, calls: 0 })
    twilio.messages.length = 0
    await useTwilio(instance, twilio)
  })

  test('gets the message by its library, from the sender, with the address for its report', async () => {
    const message = aMessage(instance, await aMobilePatient(instance))
    await send(message)
    const [sent] = twilio.messages
    expect(sent).toMatchObject({
      to: message.to, from: SENDER, body: message.text,
      status_callback: `${instance.url}/api/v1/public/sms/twilio/${instance.clinic.id}/messages/${message.id}`
    })
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'sent', ref: sent!.sid })
  })

  test('sends WhatsApp by the approved template, with the clinic’s name and the address', async () => {
    await setSms(instance, { twilio_whatsapp: '+34600000002', twilio_template: `HX${'a'.repeat(32)}` })
    await send(aMessage(instance, await aMobilePatient(instance)), 'whatsapp')
    expect(twilio.messages[0]).toMatchObject({
      to: expect.stringMatching(/^whatsapp:\+34/), from: 'whatsapp:+34600000002', body: '', content_sid: `HX${'a'.repeat(32)}`,
      content_variables: JSON.stringify({ 1: 'Clínica Peñalver', 2: 'https://b.test/b/K7Q4-9XTM' })
    })
  })

  test('gets a template without an answer three times at most, because its text can’t be found again', async () => {
    await setSms(instance, { twilio_whatsapp: '+34600000002', twilio_template: `HX${'a'.repeat(32)}` })
    twilio.state.faults = ['lost', 'lost', 'lost']
    const message = aMessage(instance, await aMobilePatient(instance))
    for (const error of [{ name: 'Unknown' }, { name: 'Unknown' }, { code: 'undeliverable' }, { code: 'undeliverable' }])
      await expect(send(message, 'whatsapp')).rejects.toMatchObject(error)
    expect(twilio.messages).toHaveLength(3)
    expect(await today(instance, instance.clinic.id)).toEqual({ sent: 3, refused: 0 })
  })

  test('that took the message without an answer is asked, so that the patient gets it once', async () => {
    twilio.state.faults = ['lost']
    const message = aMessage(instance, await aMobilePatient(instance))
    await expect(send(message)).rejects.toThrow('no usable answer')
    await send(message)
    expect(twilio.messages).toHaveLength(1)
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'sent', ref: twilio.messages[0]!.sid })
    expect(await today(instance, instance.clinic.id)).toEqual({ sent: 1, refused: 0 })
  })

  test('with the refusal 21610 ends the channel for the number until staff turn it on again', async () => {
    twilio.state.faults = [{ status: 400, code: 21610 }]
    const patient = await aMobilePatient(instance)
    await expect(send(aMessage(instance, patient))).rejects.toMatchObject({
      code: 'undeliverable', fields: { detail: expect.stringContaining('STOP') }
    })
    expect(await readyFor(patient.number)).toMatchObject({ ready: false, reason: expect.stringContaining('turned off') })
    await expect(send(aMessage(instance, patient))).rejects.toMatchObject({ code: 'undeliverable' })
    expect(twilio.state.calls).toBe(1)
    const staff = await instance.as('receptionist')
    const path = `/api/v1/sms/patients/${patient.id}`
    const { body: { data: { channels, messages } } } = await staff.get(path)
    expect(channels[0]).toMatchObject({ channel: 'sms', ready: false, stop: { cause: 'provider' } })
    expect(messages).toHaveLength(2)
    expect((await staff.post(`${path}/turn-on`, { channel: 'sms' })).status).toBe(204)
    expect((await staff.post(`${path}/turn-on`, { channel: 'sms' })).status).toBe(204)
    await send(aMessage(instance, patient))
    const audit = (await (await instance.as('admin')).get('/api/v1/audit')).body.data
      .filter(({ target }: { target: { id: string } | null }) => target?.id === patient.id)
    expect(audit.filter(({ detail }: { detail: { change?: string } }) => detail.change === 'on')).toHaveLength(1)
  })

  test('with a key that it doesn’t know keeps the message waiting, and no error quotes the number', async () => {
    await setSms(instance, { twilio_token: 'another-token-of-no-account' })
    const message = aMessage(instance, await aMobilePatient(instance))
    const error = await send(message).catch((thrown: Error) => thrown) as Error
    expect(String(error)).toContain('(20003)')
    expect(String(error)).not.toContain(message.to.slice(1))
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'waiting', error: '20003' })
  })

  test('is asked for prices, and for a state whose report got lost', async () => {
    const message = aMessage(instance, await aMobilePatient(instance))
    await send(message)
    Object.assign(twilio.messages[0]!, { status: 'delivered', price: '-0.00750' })
    await instance.sql`update sms_message set created_at = now() - interval '11 minutes' where id = ${message.id}`
    const { definition: { jobs }, ctx } = smsOf(instance)
    await jobs!['ask-provider']!.run({}, ctx, { attempt: 1 })
    expect(await rowOf(instance, message.id)).toMatchObject({ state: 'delivered', price: '7500', price_currency: 'USD', asked: 1 })
  })
})

describe('the limit of a day', () => {
  test('is never passed by fifty messages at once, and those it refuses say so', async () => {
    await setSms(instance, { provider: 'none', daily_limit: 20 })
    const patient = await aMobilePatient(instance)
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => send(aMessage(instance, patient))))
    const refused = results.flatMap(result => result.status === 'rejected' ? [result.reason] : [])
    expect([results.length - refused.length, refused.length]).toEqual([20, 30])
    for (const { code, fields } of refused)
      expect([code, fields.detail]).toEqual(['undeliverable', expect.stringContaining('límite de mensajes de hoy')])
    expect(await today(instance, instance.clinic.id)).toEqual({ sent: 20, refused: 30 })
    expect(await readyFor('600112233')).toMatchObject({ ready: false, reason: expect.stringContaining('Today’s limit') })
  })

  test('begins again with the clinic’s day, not with that of another time zone', async () => {
    await setSms(instance, { provider: 'none', daily_limit: 1 })
    const admin = await instance.as('admin')
    await send(aMessage(instance, await aMobilePatient(instance)))
    expect(await readyFor('600112233')).toMatchObject({ ready: false })
    // Twenty-five hours apart, so that it is another day in one of the two zones at any time.
    for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
      expect((await admin.patch('/api/v1/clinic', { time_zone })).status).toBe(200)
    const { count } = await instance.sql`
      select from sms_day where clinic_id = ${instance.clinic.id} and day = (now() at time zone 'Pacific/Pago_Pago')::date`
    expect((await readyFor('600112233'))!.ready).toBe(count === 0)
    await admin.patch('/api/v1/clinic', { time_zone: 'Europe/Madrid' })
  })
})
