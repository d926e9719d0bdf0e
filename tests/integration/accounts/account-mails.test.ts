import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aUser, signedIn } from '../../support/accounts.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'

let instance: Instance
let mailbox: Mailbox
let admin: Caller

beforeAll(async () => {
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  admin = await instance.as('admin')
  await admin.patch('/api/v1/clinic', { accent_color: '#7c2d12' })
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

const LANGUAGES = [
  ['en', 'Your account at Clínica Peñalver', 'Choose a new password'],
  ['es', 'Su cuenta en Clínica Peñalver', 'Elija una nueva contraseña'],
  ['fr', 'Votre compte chez Clínica Peñalver', 'Choisissez un nouveau mot de passe'],
  ['de', 'Ihr Konto bei Clínica Peñalver', 'Wählen Sie ein neues Passwort'],
  ['pt', 'A sua conta em Clínica Peñalver', 'Escolha uma nova palavra-passe'],
  ['ar', 'حسابكم لدى \u2068Clínica Peñalver\u2069', 'اختاروا كلمة مرور جديدة']
] as const

describe.each(LANGUAGES)('the mails about an account, in %s', (locale, invitation, reset) => {
  const email = `nuria-${locale}@clinic.test`
  const letterTo = (subject: string) =>
    expect
      .poll(() => mailbox.letters.find(letter => letter.to === email && letter.subject === subject), {
        timeout: 20_000
      })
      .toBeDefined()
  const find = (subject: string) => mailbox.letters.find(letter => letter.to === email && letter.subject === subject)!

  test('an invitation names the clinic, uses its colour, and has one link that works', async () => {
    await admin.patch('/api/v1/clinic', { locale })
    expect(
      (await admin.post('/api/v1/users', { email, first_name: '<b>Núria', last_name: 'Puig', role: 'dentist' })).status
    ).toBe(201)
    await letterTo(invitation)
    const { text, html } = find(invitation)
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(html).toMatch(/#7c2d12/)
    expect(html).not.toContain('<b>')
    expect(html).toContain('&lt;b&gt;Núria')
    const [, token] = new RegExp(`^${instance.url}/invitation#(\\S+)$`, 'm').exec(text)!
    expect(html).toContain(`href="${instance.url}/invitation#${token}"`)
    expect(
      (await createCaller(instance.url).post('/api/v1/auth/invitation', { token, password: 'a new password' })).status
    ).toBe(204)
  })

  test('a new password is set through a mailed link too', async () => {
    await createCaller(instance.url).post('/api/v1/auth/password-reset', { email })
    await letterTo(reset)
    expect(find(reset).text).toMatch(new RegExp(`^${instance.url}/password-reset#\\S+$`, 'm'))
  })
})

test('a link for a new password is written in the account\'s own language', async () => {
  const { email } = await aUser(instance)
  await (await signedIn(instance, email)).patch('/api/v1/me', { locale: 'de' })
  await createCaller(instance.url).post('/api/v1/auth/password-reset', { email })
  await expect
    .poll(() => mailbox.letters.find(({ to }) => to === email)?.subject, { timeout: 20_000 })
    .toBe('Wählen Sie ein neues Passwort')
})

describe('an invitation', () => {
  const invite = (email: string) =>
    admin.post('/api/v1/users', { email, first_name: 'Núria', last_name: 'Puig', role: 'dentist' })

  const take = (url: string) =>
    createCaller(instance.url).post('/api/v1/auth/invitation', { token: url.split('#')[1], password: 'a new password' })

  test('accepted by the mail server is reported as sent, and its link is shown to no one', async () => {
    const { status, body } = await invite('taken@clinic.test')
    expect([status, body.data.invitation]).toEqual([201, { delivered_via: 'smtp', url: null }])
    expect(mailbox.letters.filter(({ to }) => to === 'taken@clinic.test')).toHaveLength(1)
  })

  test('refused by the mail server keeps the member, and the response has a link to hand over', async () => {
    mailbox.answer = address => address === 'refused@clinic.test' ? 550 : undefined
    const { status, body } = await invite('refused@clinic.test')
    mailbox.answer = () => undefined
    expect([status, body.data.invitation]).toEqual([
      201,
      { delivered_via: null, url: expect.stringContaining(`${instance.url}/invitation#`) }
    ])
    expect((await admin.get(`/api/v1/users/${body.data.id}`)).body.data).toMatchObject({
      email: 'refused@clinic.test',
      invited: true
    })
    expect((await take(body.data.invitation.url)).status).toBe(204)
  })

  test('that is mailed later ends the link that was handed over before', async () => {
    mailbox.answer = address => address === 'later@clinic.test' ? 450 : undefined
    const { body: { data: { id, invitation: first } } } = await invite('later@clinic.test')
    mailbox.answer = () => undefined
    expect((await admin.post(`/api/v1/users/${id}/invitation`)).body.data).toEqual({ delivered_via: 'smtp', url: null })
    expect((await take(first.url)).status).toBe(404)
  })
})
