import { beforeEach, expect, test } from 'vitest'
import { DetailResend } from '#components'
import { ApiError } from '#imports'
import { forgetSession, logIn } from './support/api.ts'
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
  await logIn({ permissions: ['budget.write'] })
})

async function aDialog(error: ApiError | null) {
  const sent: unknown[] = []
  const onResend = (request: unknown) => sent.push(request)
  await draw(DetailResend, {
    props: {
      'open': true, 'fresh': false, 'saving': false, error, 'patientId': 'p',
      'patient': { email: 'kevin@paz.example' }, onResend, 'onUpdate:open': () => {}
    }
  })
  return sent
}

test('a link is resent without a question while the address is the same', async () => {
  const sent = await aDialog(null)
  await press('Resend')
  expect(sent).toEqual([{ channel: 'email', new_link: false }])
})

test('after the server asked, both addresses are shown, and the button says where it goes', async () => {
  const sent = await aDialog(changed)
  expect(said()).toContain('Check that it is theirs before you send the link there.')
  expect(said()).toContain('r•••@gil.example')
  expect(said()).toContain('kevin@paz.example')
  await press('Send to the new address')
  expect(sent).toEqual([{ channel: 'email', new_link: false, confirm_address: true }])
})
