import { beforeEach, expect, test, vi } from 'vitest'
import { CodeSettings, DetailCode, DetailResend, DetailSend } from '#components'
import { usePreferences } from '#imports'
import { answers, forgetSession, signIn } from './support/api.ts'
import { draw, findButton, press, said } from './support/screen.ts'

const CHANNELS = [
  { name: 'email', label: 'Email', ready: true, reason: null, short: false, address: 'ana@sol.example' },
  { name: 'sms', label: 'SMS', ready: true, reason: null, short: true, address: '+34910000000' },
  { name: 'manual', label: 'Hand it over yourself', ready: true, reason: null, short: false, address: null }
]
const BUDGET = {
  id: 'b', patient_id: 'p', locale: 'en', status: 'draft', professional_id: 'd', expires_at: null, revises_id: null,
  items: [{ treatment_id: 't', name: 'Filling', translated: true }], versions: [],
  link: { state: 'none', has_code: false, failed_attempts: 0, locked: false, locked_until: null }
}
const FROM_SMS = 'The patient requests a code on the budget’s page and gets it by SMS.'

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['budget.write'] })
  answers('GET', '/api/v1/budget/channels', { data: CHANNELS })
})
const set = (code_by: string, code_by_only: boolean) => {
  usePreferences().moduleSettings.value = { budget: { code_by, code_by_only } }
}

async function aSendDialog(has_code = false) {
  const sent: unknown[][] = []
  await draw(DetailSend, {
    props: {
      'open': true, 'saving': false, 'error': null, 'now': 0, 'patient': { email: 'ana@sol.example' },
      'budget': { ...BUDGET, link: { ...BUDGET.link, has_code } },
      'onSend': (...request: unknown[]) => sent.push(request), 'onUpdate:open': () => {}
    }
  })
  return sent
}
const radio = (value: string) => document.querySelector<HTMLButtonElement>(`[role="radio"][value="${value}"]`)!

test.each([
  false, true
])('the dialog to send names the channel of the code when codes are only sent by a channel', async (has_code) => {
  set('sms', true)
  const sent = await aSendDialog(has_code)
  await vi.waitFor(() => expect(said()).toContain(FROM_SMS))
  for (const mode of ['keep', 'generate', 'own']) expect(radio(mode)).toBe(null)
  await press('Send')
  expect(sent).toEqual([[{ channel: 'email' }, { new_code: false }]])
})

test('the dialog to send offers a code when the clinic\'s own code works too', async () => {
  set('sms', false)
  await aSendDialog()
  expect(radio('generate')).not.toBe(null)
  expect(said()).not.toContain('requests a code')
})

test('the link can\'t use the channel that sends every code, because link and code are sent separately', async () => {
  set('email', true)
  const sent = await aSendDialog()
  expect(radio('email').disabled).toBe(true)
  expect(said()).toContain('Codes are sent this way, so the link needs another one.')
  await press('Send')
  expect(sent).toEqual([[{ channel: 'manual' }, { new_code: false }]])
})

test('the dialog to resend explains how the patient gets the code', async () => {
  set('sms', true)
  await draw(DetailResend, {
    props: {
      'open': true, 'fresh': true, 'saving': false, 'error': null, 'patientId': 'p', 'budgetId': 'b',
      'patient': { email: 'ana@sol.example' }, 'onUpdate:open': () => {}
    }
  })
  await vi.waitFor(() => expect(said()).toContain(FROM_SMS))
  expect(radio('sms').disabled).toBe(true)
})

test('the budget\'s page doesn\'t offer to change a code that opens nothing', async () => {
  const props = { link: { ...BUDGET.link, has_code: true }, now: 0, reasons: { set_code: null, unlock: null } }
  set('clinic', true)
  await draw(DetailCode, { props })
  expect(findButton('Change code')).not.toBe(undefined)
  set('sms', true)
  await vi.waitFor(() => expect(said()).toContain(FROM_SMS))
  expect(findButton('Change code')).toBe(undefined)
})

test('the page offers to change the clinic\'s own code when the module of the channel is missing', async () => {
  const props = { link: { ...BUDGET.link, has_code: true }, now: 0, reasons: { set_code: null, unlock: null } }
  set('pager', true)
  await draw(DetailCode, { props })
  await vi.waitFor(() => expect(findButton('Change code')).not.toBe(undefined))
})

test('the settings show that no module provides the chosen channel', async () => {
  await draw(CodeSettings, { props: { modelValue: { code_by: 'pager', code_by_only: true } } })
  await vi.waitFor(() => expect(said()).toContain('No module offers this channel now.'))
})
