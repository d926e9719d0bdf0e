import { createHash } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { colours, everything, settled, findOverflow, violations } from '../../support/browser/accessibility.ts'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget, aVerifiedPatient, ACCEPTANCE, eventually } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'

let instance: Built
let browser: Browser
let signed: Buffer
beforeEach(() => instance.sql`delete from core_rate_limit`)
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  signed = await eventually(async () => {
    const { status, bytes } = await patient.get(`${budget.base}/pdf/signed`)
    return status === 200 && bytes
  }, 'the signed copy')
})
afterAll(() => instance?.close())

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/verify-${name}.png`, fullPage: true })
}
const aFile = (buffer: Buffer) => ({ name: 'PRES-2026-0001.pdf', mimeType: 'application/pdf', buffer })

describe('the check page', () => {
  test('shows where and when a signed document was signed, and no data of the patient', async () => {
    const { page, complaints } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('heading', { name: /^Matches a document signed on .+ at Clínica Peñalver\.$/ }).waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/Lucía|Muñoz/)
    expect(complaints).toEqual([])
  })

  test('shows that an acceptance was withdrawn, and when', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    const { bytes } = await eventually(async () => {
      const answer = await patient.get(`${budget.base}/pdf/signed`)
      return answer.status === 200 && answer
    }, 'the signed copy')
    const body = { requested_by: 'patient', reason: 'Lucía moves away.' }
    await (await instance.as('admin')).post(`/api/v1/budget/budgets/${budget.id}/withdraw`, body)
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(bytes))
    await page.getByRole('heading', { name: /^Matches a document signed/ }).waitFor()
    await page.getByText(/^This acceptance was withdrawn on .+\.$/).waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/Lucía|moves away/)
    await shot(page, 'withdrawn')
  })

  test('checks a file that was chosen before the page\'s script runs as soon as it runs', async () => {
    const { page } = await aVisit(browser)
    const script = Promise.withResolvers<null>()
    await page.route('**/*.js', async (route) => {
      await script.promise
      await route.continue()
    })
    await page.goto(`${instance.url}/verify?locale=en`, { waitUntil: 'commit' })
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    script.resolve(null)
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('rejects a file with one changed byte', async () => {
    const changed = Buffer.from(signed)
    changed[changed.length >> 1]! ^= 1
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(changed))
    await page.getByText('No signed document here has this fingerprint.').waitFor()
  })

  test('sends the fingerprint and never the file', async () => {
    const { page } = await aVisit(browser)
    const sent: (string | null)[] = []
    page.on('request', request => request.method() !== 'GET' && sent.push(request.postData()))
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.waitForLoadState('networkidle')
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
    expect(sent).toEqual([JSON.stringify({ sha256: createHash('sha256').update(signed).digest('hex') })])
  })

  test('treats a dropped file like a chosen one', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.waitForLoadState('networkidle')
    const transfer = await page.evaluateHandle((bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'signed.pdf', { type: 'application/pdf' }))
      return data
    }, [...signed])
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('checks a file that is dropped beside the field, and does not open it in the browser', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.waitForLoadState('networkidle')
    const transfer = await page.evaluateHandle((bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'signed.pdf', { type: 'application/pdf' }))
      return data
    }, [...signed])
    await page.locator('h1').dispatchEvent('dragover', { dataTransfer: transfer })
    await page.locator('.drop.is-over').waitFor()
    await page.locator('h1').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
    expect(await page.locator('.drop.is-over').count()).toBe(0)
  })

  test.each([
    ['an empty file', Buffer.alloc(0), 'The file is empty.'],
    ['a file that isn’t a PDF', Buffer.from('<html>not a PDF</html>'), 'This isn’t a PDF'],
    [
      'a file that is too large to be one of ours',
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20_000_000)]),
      'The file is larger than 20 MB'
    ]
  ])('recognises %s without a request to the server', async (_, buffer, text) => {
    const { page, requests } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(buffer))
    await page.getByRole('alert').filter({ hasText: text }).waitFor()
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
    expect((await page.locator('#problem').textContent())!.trim()).toBe('')
  })

  test('reports a lost connection, keeps the file, and tries again with one button', async () => {
    const { page, context } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('alert').filter({ hasText: 'The server didn’t answer.' }).waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('asks to wait after too many checks, and then tries again', async () => {
    const stranger = instance.anonymous()
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    for (let count = 0; count < 31; count++)
      await stranger.post('/api/v1/public/documents/check', { sha256: '0'.repeat(64) })
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('alert').filter({ hasText: 'Too many attempts.' }).waitFor()
    await instance.sql`delete from core_rate_limit`
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('works with the keyboard only, and its result is announced to screen readers', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.waitForLoadState('networkidle')
    // When no element has the focus, the body has it, and it contains every text that is searched.
    const focused = () =>
      page.evaluate(() => (document.activeElement === document.body ? '' : document.activeElement!.outerHTML))
    const tabTo = async (what: RegExp) => {
      for (let presses = 0; presses < 20; presses++) {
        if (what.test(await focused())) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not lead to ${what}`)
    }
    await tabTo(/type="file"/)
    // A busy browser can lose the key press, so the test presses again when no dialog opens, as a user would.
    const chooser = page.waitForEvent('filechooser')
    const opened = () => Promise.race([chooser.then(() => true), page.keyboard.press('Space').then(() => false)])
    await expect.poll(opened, { timeout: 45_000, interval: 2000 }).toBe(true)
    await (await chooser).setFiles(aFile(signed))
    const verdict = page.getByRole('region', { name: /^Matches a document signed/ })
    await verdict.waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'SECTION')

    await tabTo(/Paste a fingerprint/)
    await page.keyboard.press('Enter')
    await tabTo(/id="fingerprint"/)
    await page.keyboard.type('abc')
    await tabTo(/type="submit"/)
    await page.keyboard.press('Enter')
    const field = page.getByLabel('SHA-256 fingerprint')
    await page.waitForFunction(() => document.activeElement?.id === 'fingerprint')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toContain('problem')
  })

  const STATES = {
    'match': () => signed,
    'no-match': () => Buffer.concat([signed, Buffer.from('\n')]),
    'wrong': () => Buffer.from('x')
  }
  const checkedIn = async (page: Page, state: keyof typeof STATES) => {
    await page.locator('input[type=file]').setInputFiles(aFile(STATES[state]()))
    await (state === 'wrong' ? page.getByRole('alert').filter({ hasText: /./ }) : page.locator('section')).waitFor()
  }

  test.each(['en', 'ar'])(
    'passes the accessibility checks and fits phone and desktop, light and dark, in %s',
    { timeout: 240_000 },
    async (locale) => {
      await instance.sql`delete from core_rate_limit`
      const { page, complaints } = await aVisit(browser)
      await page.goto(`${instance.url}/verify?locale=${locale}`)
      await page.waitForLoadState('networkidle')
      expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
      for (const state of ['match', 'no-match', 'wrong'] as const) {
        await checkedIn(page, state)
        for (const size of [PHONE, DESK]) {
          await page.setViewportSize(size)
          expect(await findOverflow(page)).toEqual([])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            await settled(page)
            await shot(page, `${locale}-${state}-${size.width}-${colorScheme}`)
            expect(await violations(colorScheme === 'light' ? everything(page) : colours(page))).toEqual([])
          }
        }
      }
      expect(complaints).toEqual([])
    }
  )

  test.each(['es', 'fr', 'de', 'pt'])('fits phone and desktop in %s', async (locale) => {
    await instance.sql`delete from core_rate_limit`
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=${locale}`)
    await page.waitForLoadState('networkidle')
    for (const state of ['match', 'no-match', 'wrong'] as const) {
      await checkedIn(page, state)
      for (const size of [PHONE, DESK]) {
        await page.setViewportSize(size)
        expect(await findOverflow(page)).toEqual([])
      }
    }
  })

  test('checks a pasted fingerprint too, and has a separate message for a malformed one', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.getByRole('button', { name: 'Paste a fingerprint instead' }).click()
    await page.getByLabel('SHA-256 fingerprint').fill('abc')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('A fingerprint has 64 characters').waitFor()
    await page.getByLabel('SHA-256 fingerprint').fill(createHash('sha256').update(signed).digest('hex').toUpperCase())
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('explains a missing secure connection and accepts the fingerprint', async () => {
    const { page } = await aVisit(browser)
    await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }))
    await page.goto(`${instance.url}/verify?locale=en`)
    await page.getByText('This page has no secure connection').waitFor()
    await page.getByLabel('SHA-256 fingerprint').waitFor()
  })
})
