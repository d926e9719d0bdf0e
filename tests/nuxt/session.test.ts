import { beforeEach, describe, expect, test } from 'vitest'
import { StaffSignInAgain } from '#components'
import { useApi, usePreferences, useSession, useSignIn } from '#imports'
import { aModule, answers, aPerson, aScreen, forgetSession, signIn } from './support/api.ts'
import { draw, findButton, one, said, type, using } from './support/screen.ts'

beforeEach(forgetSession)

const OTHER = '0197c6a0-0000-7000-8000-0000000000ff'

describe('the request for the current session', () => {
  test('returns the person, their permissions and the running modules', async () => {
    await signIn({ permissions: ['budget.read'] }, [aModule('budget', [])])
    const { standing, me, can, modules } = useSession()
    expect([
      standing.value,
      me.value!.user.first_name,
      can('budget.read'),
      can('budget.write'),
      modules.value!.length
    ]).toEqual(['in', 'Ana', true, false, 1])
  })

  test('returns the display settings of the person and their clinic', async () => {
    await signIn({}, [], { accent_color: '#1a5fb4', prices_include_tax: true, settings: { budget: { tooth_notation: 'palmer' } }, first_steps: true })
    const { accent, pricesIncludeTax, moduleSettings, country, firstSteps } = usePreferences()
    expect([accent.value, pricesIncludeTax.value, moduleSettings.value, country.value, firstSteps.value])
      .toEqual(['#1a5fb4', true, { budget: { tooth_notation: 'palmer' } }, null, true])
  })

  test('is repeated when another window switched the clinic between its two responses', async () => {
    const me = aPerson()
    let isSwitched = true
    answers('GET', '/me', { data: me })
    answers('GET', '/api/v1/auth/screen', () => {
      const data = aScreen(me, isSwitched ? { clinic_id: OTHER, accent_color: '#8a1c5a' } : { accent_color: '#1a5fb4' })
      isSwitched = false
      return { data }
    })
    answers('GET', '/api/v1/modules/-/active', { data: [] })
    await useSession().load()
    expect(usePreferences().accent.value).toBe('#1a5fb4')
  })

  test('reports that a second factor is required, and until when', async () => {
    await signIn({}, [], { second_factor_due: '2026-03-12T10:00:00.000Z', second_factor_overdue: true })
    const { factorDue, isHeld } = useSession()
    expect([factorDue.value, isHeld()]).toEqual(['2026-03-12T10:00:00.000Z', true])
  })

  test('reports that the person is signed out when the server does', async () => {
    answers('GET', '/me', { status: 401, code: 'unauthorized' })
    answers('GET', '/api/v1/auth/screen', { status: 401, code: 'unauthorized' })
    expect(await useSession().load()).toBe('out')
  })

  test('does not treat an unreachable server as the end of the session', async () => {
    answers('GET', '/me', { status: 502 })
    answers('GET', '/api/v1/auth/screen', { status: 502 })
    expect(await useSession().load()).toBe('unreachable')
  })

  test('keeps the person when only the modules could not be loaded', async () => {
    await signIn()
    answers('GET', '/api/v1/modules/-/active', { status: 500 })
    await useSession().load()
    expect([useSession().standing.value, useSession().modules.value]).toEqual(['in', null])
  })

  test('does not show one person\'s page to another who signed in in another window', async () => {
    await signIn()
    answers('GET', '/me', {
      data: aPerson({ user: { ...aPerson().user, id: '0197c6a0-0000-7000-8000-000000000009', first_name: 'Berta' } })
    })
    await useSession().load()
    expect([useSession().me.value!.user.first_name, useSession().moved.value!.user.first_name]).toEqual([
      'Ana',
      'Berta'
    ])
  })
})

describe('a session that ended during work', () => {
  /** Ana's session has ended: requests are refused until she signs in with her password. */
  async function anEndedSession() {
    await signIn()
    let ended = true
    const saved = answers('POST', '/api/v1/budgets', () =>
      ended ? { status: 401, code: 'unauthorized' } : { status: 201, data: { id: '7' } }
    )
    const signIns = answers('POST', '/api/v1/auth/login', ({ body }) => {
      ended = body.password !== 'the right password'
      return ended ? { status: 401, code: 'bad_credentials' } : { data: {} }
    })
    await draw(StaffSignInAgain)
    const { post } = await using(useApi)
    const saving = post<{ id: string }>('/api/v1/budgets', { body: { title: 'Two crowns' } })
    await expect.poll(() => findButton('Sign in')).toBeDefined()
    return { saving, saved, signIns }
  }
  const password = () => one<HTMLInputElement>('input[type="password"]')
  function submit() {
    one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  }

  test('asks the same person for the password over the page', async () => {
    const { saving } = await anEndedSession()
    expect(said()).toContain('Your session has ended')
    expect(one<HTMLInputElement>('input[type="email"]').value).toBe('ana@clinic.example')
    await type(password(), 'the right password')
    submit()
    await saving
  })

  test('continues saving after the password was entered', async () => {
    const { saving, saved, signIns } = await anEndedSession()
    await type(password(), 'the right password')
    submit()
    expect((await saving).data).toEqual({ id: '7' })
    expect(signIns[0]!.body).toEqual({ email: 'ana@clinic.example', password: 'the right password' })
    expect(saved.map(({ body }) => body)).toEqual([{ title: 'Two crowns' }, { title: 'Two crowns' }])
    expect(useSignIn().asking.value).toBe(false)
  })

  test('asks again after a wrong password, and reports that it was wrong', async () => {
    const { saving } = await anEndedSession()
    await type(password(), 'another password')
    submit()
    await expect.poll(() => said()).toContain('Wrong email address or password.')
    expect(useSignIn().asking.value).toBe(true)
    await type(password(), 'the right password')
    submit()
    await saving
  })
})
