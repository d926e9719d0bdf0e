import { beforeEach, expect, test, vi } from 'vitest'
import { DetailResend } from '#components'
import { ApiError } from '#imports'
import { answers, forgetSession, signIn } from './support/api.ts'
import { draw, press, said } from './support/screen.ts'

const changed = new ApiError({
  type: 'about:blank',
  title: 'Address changed',
  status: 409,
  detail: '',
  code: 'address_changed',
  request_id: 'r',
  sent_to: 'r•••@gil.example',
  address: 'kevin@paz.example'
}, '/api/v1/budget/budgets/x/resend')

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['budget.write'] })
})

const CHANNELS = [
  { name: 'email', label: 'Email', ready: true, reason: null, short: false, address: 'kevin@paz.example' },
  { name: 'sms', label: 'SMS', ready: false, reason: 'A landline gets no texts.', short: true, address: '+34910000000' },
  { name: 'pigeon', label: 'Pigeon', ready: true, reason: null, short: false, address: 'the loft' },
  { name: 'manual', label: 'Hand it over yourself', ready: true, reason: null, short: false, address: null }
]

async function aDialog(error: ApiError | null) {
  answers('GET', '/api/v1/budget/channels', { data: CHANNELS })
  const sent: unknown[] = []
  const onResend = (request: unknown) => sent.push(request)
  await draw(DetailResend, {
    props: {
      'open': true, 'fresh': false, 'saving': false, error, 'patientId': 'p', 'budgetId': 'b',
      'patient': { email: 'kevin@paz.example' }, onResend, 'onUpdate:open': () => {}
    }
  })
  return sent
}

test('a link is resent without a question while the address is unchanged', async () => {
  const sent = await aDialog(null)
  await press('Resend')
  expect(sent).toEqual([{ channel: 'email', new_link: false }])
})

test('both addresses are shown after the server asked, and the button names the address it sends to', async () => {
  const sent = await aDialog(changed)
  expect(said()).toContain('Check that it is theirs before you send the link there.')
  expect(said()).toContain('r•••@gil.example')
  expect(said()).toContain('kevin@paz.example')
  await press('Send to the new address')
  expect(sent).toEqual([{ channel: 'email', new_link: false, confirm_address: true }])
})

test('the channels of modules are offered, and a channel that is not ready shows the reason', async () => {
  const sent = await aDialog(null)
  await vi.waitFor(() => expect(said()).toContain('A landline gets no texts.'))
  const radio = (value: string) => document.querySelector<HTMLButtonElement>(`[role="radio"][value="${value}"]`)!
  expect(radio('sms').disabled).toBe(true)
  expect(said()).toContain('the loft')
  radio('pigeon').click()
  await press('Resend')
  expect(sent).toEqual([{ channel: 'pigeon', new_link: false }])
})
