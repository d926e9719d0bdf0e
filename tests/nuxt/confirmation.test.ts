import { beforeEach, describe, expect, test } from 'vitest'
import { StaffConfirmation } from '#components'
import { toApiError, useApi } from '#imports'
import { answers, forgetSession, signIn } from './support/api.ts'
import { button, draw, findButton, one, press, said, type, using } from './support/screen.ts'

beforeEach(forgetSession)

const PATH = '/api/v1/auth/factors/totp'

/** A request that the server accepts after all of these confirmations, one after the other. */
async function aCallThatNeeds(...needed: string[][]) {
  await signIn()
  const left = [...needed]
  const calls = answers('POST', PATH, () => left.length > 0
    ? { status: 403, code: 'confirmation_required', members: { needs: left[0], factors: ['totp'] } }
    : { data: { secret: 'ABCD' } })
  const shown = answers('POST', '/api/v1/auth/confirm', ({ body }) => {
    if (body.password === 'a wrong one') return { status: 403, code: 'wrong_password' }
    left.shift()
    return { data: { confirmed_until: new Date().toISOString() } }
  })
  await draw(StaffConfirmation)
  const { post } = await using(useApi)
  const done = post<{ secret: string }>(PATH)
  done.catch(() => {})
  await expect.poll(() => findButton('Cancel')).toBeDefined()
  return { calls, shown, done }
}
const password = () => one<HTMLInputElement>('input[type="password"]')
const submit = () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))

describe('an action that only the owner of the account can confirm', () => {
  test('asks for the password over the page, and then continues automatically', async () => {
    const { calls, shown, done } = await aCallThatNeeds(['password'])
    expect(said()).toContain('Confirm it’s you')
    await type(password(), 'a wrong one')
    submit()
    await expect.poll(() => said()).toContain('The current password is wrong.')
    await type(password(), 'the right one')
    submit()
    expect((await done).data).toEqual({ secret: 'ABCD' })
    expect(shown.at(-1)!.body).toEqual({ password: 'the right one' })
    expect(calls).toHaveLength(2)
  })

  test('asks for a code of the account\'s second factor', async () => {
    const { shown, done } = await aCallThatNeeds(['password', 'factor'])
    await type(password(), 'the right one')
    await type(one<HTMLInputElement>('input[name="code"]'), '123456')
    submit()
    await done
    expect(shown[0]!.body).toEqual({ password: 'the right one', code: '123456' })
  })

  test('asks for each missing confirmation: an emailed link after the password', async () => {
    const mails = answers('POST', '/api/v1/auth/enrolment', { data: { delivered_via: 'smtp' } })
    const { done } = await aCallThatNeeds(['password', 'link'], ['link'])
    await type(password(), 'the right one')
    submit()
    await expect.poll(() => findButton('Email me a link')).toBeDefined()
    await press('Email me a link')
    await expect.poll(() => said()).toContain('A link is on its way to ana@clinic.example.')
    expect(mails).toHaveLength(1)
    button('Close').click()
    expect(toApiError(await done.catch(error => error)).code).toBe('confirmation_required')
  })

  test('is not done after Cancel', async () => {
    const { calls, done } = await aCallThatNeeds(['password'])
    await press('Cancel')
    expect(toApiError(await done.catch(error => error)).code).toBe('confirmation_required')
    expect(calls).toHaveLength(1)
  })
})
