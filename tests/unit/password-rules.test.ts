import { expect, test } from 'vitest'
import { checkNewPassword } from '../../server/core/people/passwords/password-rules.ts'
import { Password } from '../../shared/auth.ts'

const check = (password: string) => checkNewPassword({ password, email: 'ana.ruiz@clinic.test', pointer: '/password' })
const refusal = (message: string) => ({
  code: 'validation_failed',
  fields: { errors: [{ pointer: '/password', message }] }
})

test('a password needs at least 12 characters', () => {
  expect(Password.safeParse('eleven char').error?.issues).toMatchObject([{ message: 'Use 12 characters or more.' }])
  expect(Password.safeParse('twelve chars').success).toBe(true)
})

test.each(['Password1234', '123456789012', 'qwertyuiop12', 'letmeinletmein', 'aaaaaaaaaaaa', 'ana.ruiz2026'])(
  'the password %s is refused as too common',
  async (password) => {
    const message = 'This password is too easy to guess. Choose a less common one, for example four unrelated words.'
    await expect(check(password)).rejects.toMatchObject(refusal(message))
  }
)

test.each(['ana.ruiz@clinic.test', ' Ana.Ruiz@Clinic.Test '])(
  'a password cannot be the user\'s own email address: %s',
  async (password) => {
    await expect(check(password)).rejects.toMatchObject(
      refusal('The password must not be the email address. Choose another one.')
    )
  }
)

test.each([
  'lamp orbit velvet nine', 'aurora-demo-clinic', 'vK9#qTz!2mLp'
])('the password %s is accepted', async (password) => {
  await expect(check(password)).resolves.toBeUndefined()
})
