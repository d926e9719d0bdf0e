import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  allButColours,
  colours,
  everything,
  settled,
  findOverflow,
  violations
} from '../../support/browser/accessibility.ts'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'
import {
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  ACCEPTANCE,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode, isAlive } from '../../support/browser/patient-page.ts'

let instance: Built
let browser: Browser
const budgets = {} as Record<
  'open' | 'locked' | 'accepted' | 'rejected' | 'expired' | 'cancelled' | 'superseded',
  SentBudget
>

beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const staff = await instance.as('admin')
  await staff.patch('/api/v1/clinic', {
    phone: '+34 910 55 21 40',
    email: 'hola@clinica.test',
    address: 'Calle Mayor 1\n28013 Madrid'
  })
  const long = await aTreatment(staff, {
    name: { en: 'Otorhinolaryngologicalexamination', es: 'Otorrinolaringológicoexploración' },
    description: { en: 'Word by word.', es: 'Palabra por palabra.' }
  })
  const short = await aTreatment(staff)
  const items = [
    { treatment_id: long.id, quantity: 12, tooth: '36', surfaces: 'MOD', discount: { type: 'percent', value: '10' } },
    { treatment_id: short.id }
  ]
  for (const name of ['open', 'locked', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded'] as const) {
    budgets[name] = await aSentBudget(instance, { items, patient_notes: 'En tres plazos.\nSin intereses.' })
  }
  await bringAbout(staff)
})
afterAll(() => instance?.close())

async function bringAbout(staff: Awaited<ReturnType<Built['as']>>) {
  const { locked, accepted, rejected, expired, cancelled, superseded } = budgets
  await instance.sql`update budget_link set failed_attempts = 5, locked_until = now() + interval '1 hour' where budget_id = ${locked.id}`
  await (await aVerifiedPatient(instance, accepted)).post(`${accepted.base}/accept`, ACCEPTANCE)
  await eventually(
    async () => (await staff.get(`${BUDGETS}/${accepted.id}`)).body.data.signed_pdf.status === 'ready',
    'the signed copy'
  )
  await (await aVerifiedPatient(instance, rejected)).post(`${rejected.base}/reject`, { reason: 'Demasiado caro.' })
  await staff.post(`${BUDGETS}/${cancelled.id}/cancel`, {})
  const { body } = await staff.post(`${BUDGETS}/${superseded.id}/revise`, {})
  await staff.post(`${BUDGETS}/${body.data.id}/send`, { channel: 'manual', code: '1234' })
  await instance.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`update budget set expires_at = now() - interval '1 minute' where id = ${expired.id}`
  })
}

const opened = (name: keyof typeof budgets) => async (page: Page, locale: string) => {
  await page.goto(`${budgets[name].url}?locale=${locale}`)
  await enterCode(page, budgets[name].code)
  await page.locator('.budget').waitFor()
}
const deciding = (button: number) => async (page: Page, locale: string) => {
  await opened('open')(page, locale)
  await page.locator('.decision-buttons button').nth(button).click()
  await page.locator('form').waitFor()
}

/** Every state, and how the test reaches it. */
const STATES: Record<string, (page: Page, locale: string) => Promise<void>> = {
  unknown: async (page, locale) => void await page.goto(`${instance.url}/p/budget/none?locale=${locale}`),
  locked: async (page, locale) => void await page.goto(`${budgets.locked.url}?locale=${locale}`),
  code: async (page, locale) => void await page.goto(`${budgets.open.url}?locale=${locale}`),
  closed: async (page, locale) => void await page.goto(`${budgets.accepted.url}?locale=${locale}`),
  wrong: async (page, locale) => {
    await page.goto(`${budgets.open.url}?locale=${locale}`)
    await enterCode(page, '12')
    await page.locator('[aria-invalid]').waitFor()
  },
  open: opened('open'),
  accepting: deciding(1),
  drawing: async (page, locale) => {
    await deciding(1)(page, locale)
    await page.locator('[value=drawn]').check()
    await page.locator('canvas').waitFor()
    await page.locator('[type=submit]').click()
    await page.locator('#consent-error svg').waitFor()
  },
  rejecting: async (page, locale) => {
    await deciding(0)(page, locale)
    await page.locator('[type=submit]').click()
    await page.locator('#reason-error svg').waitFor()
  },
  failed: async (page, locale) => {
    await deciding(1)(page, locale)
    await page.locator('[name=consent]').check()
    await page.route('**/api/**', route => route.abort())
    await page.locator('[type=submit]').click()
    await page.locator('main [role=group] button').waitFor()
  },
  accepted: opened('accepted'),
  rejected: opened('rejected'),
  expired: opened('expired'),
  cancelled: opened('cancelled'),
  superseded: opened('superseded'),
  verify: async (page, locale) => void await page.goto(`${instance.url}/verify?locale=${locale}`),
  home: async (page, locale) => void await page.goto(`${instance.url}/?locale=${locale}`),
  missing: async (page, locale) => void await page.goto(`${instance.url}/nothing/here?locale=${locale}`)
}

describe.each(Object.entries(STATES))('the state "%s" of the patient\'s page', (_, go) => {
  test.each([
    ['en', 'on a desktop', DESK],
    ['es', 'on a phone', PHONE],
    ['ar', 'on a phone from right to left', PHONE]
  ] as const)('passes axe in %s, %s, light and dark, and fits 320 px', async (locale, _where, viewport) => {
    const { page, complaints } = await aVisit(browser, { viewport, colorScheme: 'light' })
    await go(page, locale)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
    // The Spanish page has the colours of the Arabic one, which are checked there.
    expect(await violations(locale === 'es' ? allButColours(page) : everything(page))).toEqual([])
    await isAlive(page) // its script follows the scheme from then on
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor()
    await settled(page)
    if (locale !== 'es') expect(await violations(colours(page))).toEqual([])

    // 1280 px at 400 %.
    await page.setViewportSize({ width: 320, height: 256 })
    expect(await findOverflow(page)).toEqual([])
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await findOverflow(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test.each(['de', 'fr', 'pt'])('fits 320 px in %s, which has long words', async (locale) => {
    const { page, complaints } = await aVisit(browser, { viewport: { width: 320, height: 640 } })
    await go(page, locale)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    expect(await findOverflow(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe('the open budget', () => {
  test('is a table from 640 px and cards below, with the original price struck through and labelled', async () => {
    const { page } = await aVisit(browser, { viewport: DESK })
    await opened('open')(page, 'en')
    const first = page.getByRole('row').nth(1)
    expect((await first.getByRole('cell').last().textContent())!.replace(/\s+/g, ' ').trim()).toMatch(
      /^original price €1,452\.00 now €1,306\.80$/
    )
    expect(await first.locator('s').count()).toBe(1)
    expect(await page.getByRole('row').nth(2).locator('s').count()).toBe(0)
    expect(await page.locator('.lines').evaluate(table => getComputedStyle(table).display)).toBe('table')
    await page.setViewportSize({ width: 600, height: 800 })
    expect(await page.locator('.lines tbody tr').first().evaluate(row => getComputedStyle(row).display)).toBe('grid')
    expect(await page.getByRole('row').count()).toBe(3)
  })

  test.each([
    ['on a phone', PHONE],
    ['on a desktop', DESK]
  ])('has accept and reject in view %s at any scroll position, without covering contacts', async (_, viewport) => {
    const { page } = await aVisit(browser, { viewport })
    await opened('open')(page, 'en')
    const accept = page.getByRole('button', { name: 'Accept' })
    for (const place of [0, 0.5, 1]) {
      await page.evaluate(part => window.scrollTo(0, part * document.documentElement.scrollHeight), place)
      const box = (await accept.boundingBox())!
      expect(box.y).toBeGreaterThanOrEqual(0)
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height)
    }
    const contact = (await page.locator('address').boundingBox())!
    const bar = (await page.locator('.decision-bar').boundingBox())!
    expect(contact.y + contact.height <= bar.y || contact.x + contact.width <= bar.x).toBe(true)
  })

  test('never hides the focused element behind the bar', async () => {
    const { page } = await aVisit(browser, { viewport: PHONE })
    await opened('open')(page, 'en')
    const bar = page.locator('.decision-bar')
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      const hidden = await bar.evaluate((element) => {
        const focused = document.activeElement!
        const { bottom } = focused.getBoundingClientRect()
        return (
          !element.contains(focused) && focused !== document.body && bottom > element.getBoundingClientRect().top + 1
        )
      })
      expect(hidden).toBe(false)
    }
  })

  test('prints one clean page without buttons, link or code', async () => {
    const { page } = await aVisit(browser, { viewport: { width: 690, height: 1000 } })
    await opened('open')(page, 'en')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('button:visible, nav:visible, .button:visible').count()).toBe(0)
    const text = await page.evaluate(() => {
      getSelection()!.selectAllChildren(document.body)
      return getSelection()!.toString()
    })
    expect(text).toContain('Clínica Peñalver')
    expect(text).not.toContain(budgets.open.token)
    expect(text).not.toContain(budgets.open.code)
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })

  test('has a plain link to the PDF in the language of the page', async () => {
    const { page } = await aVisit(browser)
    await opened('open')(page, 'en')
    const link = page.getByRole('link', { name: 'Open as PDF' })
    expect(await link.getAttribute('href')).toBe(`${budgets.open.base}/pdf?locale=en`)
    expect(await link.getAttribute('target')).toBeNull()
    const answer = await page.request.get(await link.getAttribute('href').then(href => `${instance.url}${href}`))
    expect(answer.headers()['content-type']).toBe('application/pdf')
  })
})

test('the signed copy has a plain link that downloads it', async () => {
  const { page } = await aVisit(browser)
  await opened('accepted')(page, 'en')
  const link = page.getByRole('link', { name: 'Download signed PDF' })
  expect(await link.getAttribute('href')).toBe(`${budgets.accepted.base}/pdf/signed`)
  const answer = await page.request.get(`${instance.url}${await link.getAttribute('href')}`)
  expect(answer.headers()['content-disposition']).toMatch(/^attachment/)
})
