import sharp from 'sharp'
import { remindersSince } from '../../../layers/budget/server/settings.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft } from '../../support/builders.ts'
import { createCaller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aJpeg, anInterlacedPng, aPng } from '../../support/browser/pictures.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

describe('the clinic', () => {
  test('shows its data with an ETag, and no other columns of its table', async () => {
    const { status, headers, body } = await (await instance.as('admin')).get('/api/v1/clinic')
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"\d+"$/)])
    expect(body.data).toEqual({
      id: instance.clinic.id,
      name: 'Clínica Peñalver',
      address: null,
      phone: null,
      email: null,
      logo_url: null,
      accent_color: null,
      currency: 'EUR',
      currency_locked: false,
      time_zone: 'Europe/Madrid',
      locale: 'es',
      country: null,
      legal_name: null,
      tax_number: null,
      registration: null,
      insurer: null,
      payment_days: null,
      prices_include_tax: false,
      tooth_notation: 'fdi',
      budget_validity_days: 30,
      ip_policy: 'full',
      reminders: { enabled: false, days: [7, 14], quiet_from: '20:00', quiet_to: '09:00' },
      notify_decisions: true,
      second_factor: 'none',
      retention: { access_log_months: 120, audit_months: 24 },
      first_steps_hidden: false
    })
  })

  test('keeps a change; a change with a stale If-Match is 412 and changes nothing', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const changed = await admin.patch(
      '/api/v1/clinic',
      { phone: '+34 910 000 000', accent_color: '#0f766e', ip_policy: 'hashed' },
      { headers: { 'if-match': '"1"' } }
    )
    expect([changed.status, changed.headers.get('etag'), changed.body.data.phone]).toEqual([
      200,
      '"2"',
      '+34 910 000 000'
    ])
    const stale = await admin.patch('/api/v1/clinic', { phone: '1' }, { headers: { 'if-match': '"1"' } })
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    expect((await admin.get('/api/v1/clinic')).body.data.phone).toBe('+34 910 000 000')
    expect((await admin.patch('/api/v1/clinic', { phone: null })).body.data.phone).toBe(null)
  })

  test('keeps the reminder settings that a change leaves out, sorts the days, and restarts reminders when they are switched on or get other days', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const patch = async (reminders: object) => (await admin.patch('/api/v1/clinic', { reminders })).body.data.reminders
    const { ctx } = instance.runtime.host.registry.get('budget')!
    const since = () => remindersSince(ctx, clinic.id)
    expect([await patch({ days: [21, 3] }), await since()]).toEqual([
      { enabled: false, days: [3, 21], quiet_from: '20:00', quiet_to: '09:00' },
      null
    ])
    expect(await patch({ enabled: true })).toEqual({
      enabled: true,
      days: [3, 21],
      quiet_from: '20:00',
      quiet_to: '09:00'
    })
    const first = await since()
    expect(first).toBeInstanceOf(Date)
    expect(await patch({ quiet_to: '08:30', days: [3, 21] })).toMatchObject({ quiet_to: '08:30' })
    expect(await since()).toEqual(first)
    await patch({ days: [3] })
    expect((await since())!.getTime()).toBeGreaterThan(first!.getTime())
  })

  test('keeps access logs for 12 to 600 months, or forever', async () => {
    const admin = await instance.as('admin', await instance.anotherClinic())
    const patch = async (access_log_months: number | null) =>
      (await admin.patch('/api/v1/clinic', { retention: { access_log_months } })).body.data.retention
    expect([await patch(12), await patch(600), await patch(null)]).toEqual([
      { access_log_months: 12, audit_months: 24 },
      { access_log_months: 600, audit_months: 24 },
      { access_log_months: null, audit_months: 24 }
    ])
    expect((await admin.patch('/api/v1/clinic', { retention: {} })).body.data.retention).toEqual({
      access_log_months: null,
      audit_months: 24
    })
  })

  test('can change its currency only before the first budget, and shows whether it still can', async () => {
    const clinic = await instance.anotherClinic()
    const fresh = await instance.as('admin', clinic)
    expect((await fresh.patch('/api/v1/clinic', { currency: 'JPY' })).body.data).toMatchObject({
      currency: 'JPY',
      currency_locked: false
    })
    const admin = await instance.as('admin')
    await aDraft(instance)
    const { status, body } = await admin.patch('/api/v1/clinic', { currency: 'JPY', phone: '1' })
    expect([status, body.code, body.fields]).toEqual([409, 'currency_locked', ['currency']])
    expect((await admin.get('/api/v1/clinic')).body.data.currency_locked).toBe(true)
    expect((await admin.patch('/api/v1/clinic', { currency: 'EUR', phone: '1' })).body.data).toMatchObject({
      currency: 'EUR',
      currency_locked: true
    })
    await admin.patch('/api/v1/clinic', { phone: null })
  })

  test('can change only to a currency with as many decimals while its catalog has prices', async () => {
    const admin = await instance.as('admin', await instance.anotherClinic())
    await admin.post('/api/v1/catalog/treatments', {
      code: 'X',
      name: { en: 'Check-up' },
      unit_price: '100.00',
      vat: '0'
    })
    const { status, body } = await admin.patch('/api/v1/clinic', { currency: 'JPY' })
    expect([status, body.code, body.fields]).toEqual([409, 'currency_locked', ['currency']])
    expect((await admin.get('/api/v1/clinic')).body.data.currency_locked).toBe(false)
    expect((await admin.patch('/api/v1/clinic', { currency: 'USD' })).status).toBe(200)
    expect((await admin.get('/api/v1/catalog/treatments')).body.data[0].unit_price).toBe('100.00')
  })

  test.each([
    ['/name', { name: '' }],
    ['/name', { name: 'a\u0007b' }],
    ['/currency', { currency: 'XXXX' }],
    ['/time_zone', { time_zone: '+01:00' }],
    ['/time_zone', { time_zone: 'Mars/Olympus' }],
    ['/locale', { locale: 'xx' }],
    ['/accent_color', { accent_color: '#ffff00' }],
    ['/email', { email: 'nobody' }],
    ['/reminders/days', { reminders: { days: [] } }],
    ['/reminders/days', { reminders: { days: [7, 7] } }],
    ['/reminders/days', { reminders: { days: [1, 2, 3, 4] } }],
    ['/reminders/days/0', { reminders: { days: [0] } }],
    ['/reminders/quiet_from', { reminders: { quiet_from: '24:00' } }],
    ['/reminders/since', { reminders: { since: 1 } }],
    ['/retention/access_log_months', { retention: { access_log_months: 11 } }],
    ['/retention/access_log_months', { retention: { access_log_months: 601 } }],
    ['/retention/access_log_months', { retention: { access_log_months: 12.5 } }],
    ['/retention/audit_months', { retention: { audit_months: 0 } }],
    ['/retention/audit_months', { retention: { audit_months: 601 } }],
    ['/retention/events', { retention: { events: 1 } }],
    ['/budget_validity_days', { budget_validity_days: 0 }],
    ['/ip_policy', { ip_policy: 'some' }],
    ['/logo', { logo: 'x' }]
  ])('refuses a wrong value with a pointer to %s: %j', async (pointer, change) => {
    const { status, body } = await (await instance.as('admin')).patch('/api/v1/clinic', change)
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  })
})

describe('a logo', () => {
  const put = async (raw: Uint8Array | string, type: string) =>
    await (await instance.as('admin')).put('/api/v1/clinic/logo', undefined, { raw, headers: { 'content-type': type } })

  test('is public at an address that names its version, and may be cached there', async () => {
    const { status, body } = await put(await aPng(), 'image/png')
    expect([status, body.data.logo_url]).toEqual([
      200,
      expect.stringMatching(`^${instance.url}/api/v1/public/clinics/${instance.clinic.id}/logo\\?v=\\d+$`)
    ])
    const anybody = createCaller(instance.url)
    const logo = await anybody.get(body.data.logo_url)
    expect([logo.status, logo.headers.get('content-type'), logo.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, max-age=31536000, immutable'
    ])
    expect(
      (await anybody.get(body.data.logo_url, { headers: { 'if-none-match': logo.headers.get('etag')! } })).status
    ).toBe(304)
    await (await instance.as('admin')).delete('/api/v1/clinic/logo')
    expect((await anybody.get(body.data.logo_url)).status).toBe(404)
  })

  test.each([
    ['image/png', aPng],
    ['image/jpeg', aJpeg]
  ] as const)('of type %s is scaled down once, when it is uploaded', async (type, aPicture) => {
    const { body } = await put(await aPicture(1500, 500), type)
    const { bytes } = await createCaller(instance.url).get(body.data.logo_url)
    const { format, width, height } = await sharp(bytes).metadata()
    expect([`image/${format}`, width, height]).toEqual([type, 600, 200])
  })

  test('that cannot be used is refused with a sentence that explains the reason', async () => {
    const { status, body } = await put(await anInterlacedPng(), 'image/png')
    const detail = 'The PNG is interlaced. Save it without interlacing.'
    expect([status, body.code, body.detail, body.reason]).toEqual([422, 'validation_failed', detail, 'interlaced'])
  })

  test('is refused when its type is not accepted or not the declared one, or when it is too large', async () => {
    expect((await put('nonsense', 'image/png')).status).toBe(422)
    expect((await put(await aPng(), 'image/jpeg')).status).toBe(422)
    expect((await put('<svg/>', 'image/svg+xml')).status).toBe(415)
    expect((await put(Buffer.alloc(600_000), 'image/png')).status).toBe(413)
  })

  test('of an unknown or malformed clinic is 404', async () => {
    for (const id of ['nonsense', '00000000-0000-0000-0000-000000000000']) {
      expect((await createCaller(instance.url).get(`/api/v1/public/clinics/${id}/logo`)).status).toBe(404)
    }
  })
})
