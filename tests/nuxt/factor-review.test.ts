import { beforeEach, describe, expect, test } from 'vitest'
import { AccountFactors } from '#components'
import { useSession } from '#imports'
import { answers, aPerson, aScreen, forgetSession } from './support/api.ts'
import { draw, findButton, press, said } from './support/screen.ts'

beforeEach(forgetSession)

const FACTORS = '/api/v1/auth/factors'
const ID = '0197c6a0-0000-7000-8000-000000000011'

describe('the review after a new password', () => {
  test('lists each second factor with its date and device, and continues until each is confirmed', async () => {
    let isDue = true
    answers('GET', '/me', { data: aPerson() })
    answers('GET', '/api/v1/auth/screen', () => ({ data: aScreen(aPerson(), { factor_review: isDue }) }))
    const modules = answers('GET', '/api/v1/modules/-/active', { data: [] })
    answers('GET', FACTORS, () => ({
      data: [{
        id: ID, kind: 'totp', name: 'Authenticator app', browser: 'Firefox · Windows',
        created_at: '2026-03-12T10:00:00.000Z', last_used_at: null, to_review: isDue
      }]
    }))
    const kept = answers('POST', `${FACTORS}/${ID}/keep`, () => {
      isDue = false
      return { status: 204 }
    })
    await useSession().load()
    expect(modules).toHaveLength(0) // every other page redirects to the review
    await draw(AccountFactors)
    await expect.poll(() => said()).toContain('Are these second factors yours?')
    await expect.poll(() => said()).toMatch(/Added .*2026 on Firefox · Windows/)
    await press('It’s mine: Authenticator app')
    await expect.poll(() => said()).not.toContain('Are these second factors yours?')
    expect(kept).toHaveLength(1)
    expect(findButton('It’s mine: Authenticator app')).toBeUndefined()
    expect(findButton('Remove Authenticator app')).toBeDefined()
  })
})
