import { beforeEach, describe, expect, test } from 'vitest'
import { defineComponent, h, ref } from 'vue'
import { SmsSettings, SmsTest } from '#components'
import { toSmsSettings } from '#imports'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { button, draw, findButton, one, press, said, type } from '../support/screen.ts'

type Form = InstanceType<typeof SmsSettings>['$props']['modelValue']

const STORED: Form = {
  provider: 'none', daily_limit: 500, twilio_account: null, twilio_token: { set: false }, twilio_sender: null,
  twilio_whatsapp: null, twilio_template: null, twilio_url: 'https://api.twilio.com', http_url: null,
  http_method: 'POST', http_headers: null, http_body: null, http_key: { set: false }, http_ref: null
}
const STATUS = {
  gateway_address: 'https://us.test/api/v1/public/sms/gateway/secret',
  twilio_address: 'https://us.test/api/v1/public/sms/twilio/c/answers',
  today: { sent: 12, refused: 0, limit: 500 },
  failing: null
}

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinic.manage', 'sms.read', 'sms.write', 'sms.manage'] })
})

async function aForm(stored: Partial<Form> = {}, status: object = {}) {
  answers('GET', '/api/v1/sms/status', { data: { ...STATUS, ...status } })
  const form = ref<Form>({ ...STORED, ...stored })
  const Host = defineComponent(() => () =>
    h(SmsSettings, { 'modelValue': form.value, 'onUpdate:modelValue': (value: Form) => { form.value = value } }))
  await draw(Host)
  await expect.poll(() => said()).toContain('12 of 500 messages today.')
  return form
}
const field = (name: string) => one<HTMLInputElement>(`input[name="${name}"], textarea[name="${name}"]`)
const shows = (name: string) => field(name) !== null
const values = () => [...document.querySelectorAll<HTMLInputElement>('input[readonly]')].map(({ value }) => value)

describe('the settings show', () => {
  test('only the fields of the chosen provider', async () => {
    const form = await aForm()
    expect([shows('twilio_account'), shows('http_url')]).toEqual([false, false])
    form.value = { ...form.value, provider: 'twilio' }
    await expect.poll(() => [shows('twilio_account'), shows('http_url')]).toEqual([true, false])
    expect(values()).toEqual([STATUS.twilio_address])
  })

  test('the secret address for reports, with a button that copies it', async () => {
    await aForm({ provider: 'http' })
    expect(values()).toEqual([STATUS.gateway_address])
    expect(findButton('Copy')).toBeTruthy()
    expect(said()).toContain('{to} is the number')
  })

  test('messages that the limit refused, and a provider that takes none', async () => {
    await aForm({}, { today: { sent: 12, refused: 3, limit: 500 }, failing: { since: '2026-01-02T11:00:00.000Z', code: '20003' } })
    expect(said()).toMatch(/Refused by the limit: 3\..*has accepted no message since.*\(20003\)/)
  })
})

test('a stored key is not shown, is replaced by typing, and is removed only by its button', async () => {
  const form = await aForm({ provider: 'http', http_key: { set: true } })
  expect([field('http_key').value, said().includes('A value is stored. It is never shown.')]).toEqual(['', true])
  expect(toSmsSettings(form.value)).not.toHaveProperty('http_key')
  await type(field('http_key'), 'new key')
  expect(toSmsSettings(form.value)).toMatchObject({ http_key: 'new key' })
  await type(field('http_key'), '')
  expect(toSmsSettings(form.value)).not.toHaveProperty('http_key')
  await press('Remove')
  expect(toSmsSettings(form.value)).toMatchObject({ http_key: null })
})

test('an emptied text becomes null, and an emptied number is asked for again', () => {
  expect(toSmsSettings({ ...STORED, twilio_sender: ' ', daily_limit: undefined }))
    .toMatchObject({ twilio_sender: null, daily_limit: '', twilio_url: 'https://api.twilio.com' })
})

describe('the test of the settings', () => {
  test('of the connection says what is wrong, with the provider’s number', async () => {
    const asked = answers('POST', '/api/v1/sms/test', { data: { ok: false, code: 'wrong_key', detail: '20003', parts: null } })
    await draw(SmsTest, { props: { whatsapp: false } })
    await press('Test the connection')
    await expect.poll(() => said()).toContain('The provider refused account or key. Check both. (20003)')
    expect(asked[0]!.body).toEqual({ channel: 'sms', to: null, locale: 'en' })
  })

  test('by a message needs a number, and shows the parts that it took', async () => {
    const asked = answers('POST', '/api/v1/sms/test', { data: { ok: true, code: 'sent', detail: null, parts: 2 } })
    await draw(SmsTest, { props: { whatsapp: false } })
    expect(button('Send test message').getAttribute('aria-disabled')).toBe('true')
    await type(one<HTMLInputElement>('#sms-test-to'), '600 112 233')
    await press('Send test message')
    await expect.poll(() => said()).toContain('The provider accepted the message. · 2 parts')
    expect(asked[0]!.body).toEqual({ channel: 'sms', to: '600 112 233', locale: 'en' })
  })
})
