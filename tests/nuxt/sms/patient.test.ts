import { beforeEach, expect, test } from 'vitest'
import { PatientTexts } from '#components'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { button, draw, findButton, press, said } from '../support/screen.ts'

const ID = '0197c6a0-0000-7000-8000-0000000000a1'
const PATH = `/api/v1/sms/patients/${ID}`
const ON = { channel: 'sms', ready: true, reason: null, hidden_number: '•••33', stop: null }
const OFF = { ...ON, ready: false, reason: 'Turned off.', stop: { cause: 'answer', at: '2026-01-02T11:00:00.000Z' } }
const NO_WHATSAPP = { channel: 'whatsapp', ready: false, reason: 'WhatsApp needs Twilio.', hidden_number: '•••33', stop: null }
const MESSAGE = {
  id: ID, channel: 'sms', kind: 'link', state: 'delivered', reason: null, encoding: 'gsm7', parts: 1, via: 'twilio',
  created_at: '2026-01-02T11:00:00.000Z'
}

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['sms.read', 'sms.write'] })
})
const show = async (channels: object[], messages: object[] = []) => {
  answers('GET', PATH, { data: { channels, messages, total: messages.length } })
  await draw(PatientTexts, { props: { id: ID } })
  await expect.poll(() => said()).toContain('SMS')
}

test('each channel has its state, the hidden number, and the reason why it is not available', async () => {
  await show([ON, NO_WHATSAPP])
  expect(said()).toMatch(/SMS\s*•••33\s*On.*WhatsApp\s*•••33\s*Not available.*WhatsApp needs Twilio\./)
  expect(said()).toContain('No messages yet.')
})

test('the newest messages show kind, state, parts and encoding, and a failed one its reason', async () => {
  const failed = { ...MESSAGE, id: ID.replace('a1', 'a2'), state: 'failed', reason: 'The phone did not get the message. (30003)' }
  await show([ON], [MESSAGE, { ...failed, kind: 'code', parts: 2, encoding: 'ucs2' }])
  expect(said()).toMatch(/Newest messages \(2 of 2\).*Budget · SMS.*1 part · GSM-7.*Delivered.*Code · SMS.*2 parts · UCS-2.*Failed.*\(30003\)/)
})

test('a message without a provider is one that was written to a file', async () => {
  await show([ON], [{ ...MESSAGE, state: 'sent', via: 'file' }])
  expect(said()).toContain('Written to a file')
})

test('a channel is turned off after a question that names what the patient no longer gets', async () => {
  await show([ON])
  const asked = answers('POST', `${PATH}/turn-off`, { status: 204 })
  await press('Turn off')
  await expect.poll(() => said()).toContain('The patient gets no links, reminders or codes on this channel')
  const dialog = document.querySelector('[role="dialog"]')!
  ;[...dialog.querySelectorAll('button')].find(found => found.textContent?.trim() === 'Turn off')!.click()
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ channel: 'sms' }])
})

test('a channel that an answer has ended is turned on again by staff, who read what Twilio needs', async () => {
  await show([OFF])
  expect(said()).toMatch(/Off: the patient answered STOP.*Since/)
  const asked = answers('POST', `${PATH}/turn-on`, { status: 204 })
  await press('Turn on again')
  await expect.poll(() => said()).toContain('START')
  const dialog = document.querySelector('[role="dialog"]')!
  ;[...dialog.querySelectorAll('button')].find(found => found.textContent?.trim() === 'Turn on again')!.click()
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ channel: 'sms' }])
})

test('without the permission the button says which one is missing', async () => {
  forgetSession()
  await signIn({ permissions: ['sms.read'] })
  await show([ON])
  expect(button('Turn off').getAttribute('aria-disabled')).toBe('true')
  expect(said()).toContain('sms.write')
})

test('a patient without a mobile number has no button', async () => {
  await show([{ ...ON, ready: false, hidden_number: null, reason: 'This is a landline.' }])
  expect(said()).toContain('This is a landline.')
  expect([findButton('Turn off'), findButton('Turn on again')]).toEqual([undefined, undefined])
})
