import { beforeAll, describe, expect, test } from 'vitest'
import { aUser, signedIn } from '../../support/accounts.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const SCREEN = '/api/v1/auth/screen'
let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})

const SETTINGS = { budget: { tooth_notation: 'fdi', code_by: 'clinic', code_by_only: false, clauses: [] } }

describe('GET /api/v1/auth/screen', () => {
  test('returns every member, including those that are not set', async () => {
    const user = await aUser(instance)
    const browser = await signedIn(instance, user.email)
    const { status, body } = await browser.get(SCREEN)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      user_id: user.id, clinic_id: instance.clinic.id,
      language: null, accent_color: null, prices_include_tax: false, settings: SETTINGS,
      country: expect.toSatisfy(country => country === null || typeof country === 'string'),
      first_steps: expect.any(Boolean), second_factor_due: null, second_factor_overdue: false, factor_review: false
    })
  })

  test('returns the settings of the clinic that the session works in', async () => {
    const [one, other] = [await instance.anotherClinic(), await instance.anotherClinic()]
    const admin = await instance.as('admin', one)
    const change = { accent_color: '#1a5fb4', tooth_notation: 'universal' }
    expect((await admin.patch('/api/v1/clinic', change)).status).toBe(200)
    expect((await admin.get(SCREEN)).body.data)
      .toMatchObject({ accent_color: '#1a5fb4', settings: { budget: { tooth_notation: 'universal' } } })
    const elsewhere = (await (await instance.as('admin', other)).get(SCREEN)).body.data
    expect(elsewhere).toMatchObject({ clinic_id: other.id, accent_color: null, settings: SETTINGS })
  })

  test('answers 401 without a session', async () => {
    const { status, body } = await instance.anonymous().get(SCREEN)
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })
})

test('GET /me returns no setting of the screen as a header', async () => {
  const { headers } = await (await instance.as('admin')).get('/me')
  const former = ['account-language', 'accent-color', 'prices-include-tax', 'tooth-notation', 'clinic-country',
    'first-steps', 'second-factor-due', 'second-factor-overdue', 'factor-review']
  expect(former.filter(name => headers.has(name))).toEqual([])
})
