import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode, openBudget, isAlive } from '../../support/browser/patient-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const detail = async (budget: SentBudget) => (await (await instance.as('admin')).get(`${BUDGETS}/${budget.id}`)).body.data
const signature = async (budget: SentBudget) =>
  (await (await instance.as('admin')).get(`${BUDGETS}/${budget.id}/signature`)).body.data
/** Returns the position once it is in view. */
async function boxOf(element: Locator) {
  await element.scrollIntoViewIfNeeded()
  return (await element.boundingBox())!
}
/** The first and the last column of a PNG with dark pixels. */
function inkOf(png: Uint8Array) {
  const { width, height, data } = PNG.sync.read(Buffer.from(png))
  const dark = Array.from({ length: width }, (_, x) => x).filter(x =>
    Array.from({ length: height }, (_, y) => data[4 * (y * width + x)]!).some(red => red < 128))
  return { width, left: dark[0]!, right: dark.at(-1)! }
}
const beginAccepting = async (page: Page) => {
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
}

describe('a patient with the link', () => {
  test('enters the code, reads, accepts with a click and downloads the file of the fingerprint', async () => {
    const budget = await aSentBudget(instance)
    const { page, complaints } = await aVisit(browser)

    await page.goto(`${budget.url}?locale=en`)
    await page.getByRole('heading', { name: 'Your treatment budget is ready.' }).waitFor()
    await enterCode(page, '4829 13')
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await expect(page.locator('.total-sum dd').textContent()).resolves.toContain('121.00')

    await beginAccepting(page)
    expect(await page.getByLabel('Full name of the person signing').inputValue()).toBe('Lucía Muñoz')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByRole('heading', { name: 'Thank you, Lucía. You accepted this budget.' }).waitFor()

    const link = page.getByRole('link', { name: 'Download signed PDF' })
    await link.waitFor()
    const shown = (await page.locator('.copy .font-mono').textContent())!.trim()
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const bytes = await readFile(await download.path())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(shown)
    expect((await detail(budget)).signed_pdf.sha256).toBe(shown)
    expect((await signature(budget)).document_sha256).toBe(shown)
    expect(await signature(budget)).toMatchObject({
      method: 'click',
      relationship: 'patient',
      signer_name: 'Lucía Muñoz',
      locale: 'en'
    })
    expect(complaints).toEqual([])
  })

  test('can sign as a guardian by typing a name', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await openBudget(browser, budget)
    await beginAccepting(page)
    await page.getByRole('radio', { name: 'A parent or guardian' }).check()
    expect(await page.getByLabel('Full name of the person signing').inputValue()).toBe('')
    await page.getByLabel('Full name of the person signing').fill('Carmen Vidal')
    await page.getByRole('radio', { name: 'By typing' }).check()
    await page.getByLabel('Type the name again').fill('Carmen')
    await page.getByRole('checkbox').check()

    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByText('Type the same name as above.').waitFor()
    await expect
      .poll(() => page.getByLabel('Type the name again').evaluate(field => field === document.activeElement))
      .toBe(true)

    await page.getByLabel('Type the name again').fill('carmen vidal')
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByText('signed by Carmen Vidal').waitFor()
    expect(await signature(budget)).toMatchObject({
      method: 'typed',
      relationship: 'guardian',
      signer_name: 'Carmen Vidal'
    })
  })

  test('sends a drawn signature as an image, and loads its library only to draw', async () => {
    const budget = await aSentBudget(instance)
    const { page, requests } = await openBudget(browser, budget)
    await beginAccepting(page)
    const scripts = () => requests.filter(request => request.type === 'script').length
    await page.waitForLoadState('networkidle')
    const before = scripts()
    await page.getByRole('radio', { name: 'By drawing' }).check()
    const canvas = page.locator('canvas')
    await canvas.waitFor()
    expect(scripts()).toBe(before + 1)

    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByText('Draw your signature, or choose another way to sign.').waitFor()

    await canvas.scrollIntoViewIfNeeded()
    const box = (await canvas.boundingBox())!
    await page.mouse.move(box.x + 30, box.y + 80)
    await page.mouse.down()
    for (let step = 1; step <= 20; step++)
      await page.mouse.move(box.x + 30 + step * 9, box.y + 80 + 30 * Math.sin(step / 2))
    await page.mouse.up()
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
    expect(await signature(budget)).toMatchObject({ method: 'drawn' })
    const [row] = await instance.sql`select image from budget_signature where budget_id = ${budget.id}`
    expect(row!.image.subarray(1, 4).toString()).toBe('PNG')
  })

  test('keeps a complete signature when the phone is turned between two strokes', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await openBudget(browser, budget, { viewport: { width: 844, height: 390 } })
    await beginAccepting(page)
    await page.getByRole('radio', { name: 'By drawing' }).check()
    const canvas = page.locator('canvas')
    await canvas.waitFor()
    const wide = await boxOf(canvas)
    await page.mouse.move(wide.x + 20, wide.y + 120)
    await page.mouse.down()
    // Many points, because the pad draws a line only up to the last but one.
    for (let step = 1; step <= 160; step++)
      await page.mouse.move(wide.x + 20 + step * (wide.width - 60) / 160, wide.y + 90 + 30 * Math.sin(step / 4))
    await page.mouse.up()

    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => (await canvas.boundingBox())!.width).toBeLessThan(390)
    const narrow = await boxOf(canvas)
    await page.mouse.click(narrow.x + narrow.width - 12, narrow.y + 150)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()

    const [row] = await instance.sql`select image from budget_signature where budget_id = ${budget.id}`
    const { left, right, width } = inkOf(row!.image)
    // Both ends of the line, where they were drawn.
    expect(Math.abs(left - 20)).toBeLessThan(4)
    expect(right).toBeGreaterThanOrEqual(wide.width - 50)
    expect(right).toBeLessThan(width)
  })

  test('can reject with a reason and a category', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await openBudget(browser, budget)
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('heading', { name: 'Decline this budget' }).waitFor()

    await page.getByRole('button', { name: 'Confirm and decline' }).click()
    await page.getByText('Choose a reason, or write one.').waitFor()
    await page.getByRole('radio', { name: 'The price' }).check()
    await page.getByLabel('Explain in a few words').fill('Too dear for <b>now</b>.')
    await page.getByRole('button', { name: 'Confirm and decline' }).click()

    await page.getByRole('heading', { name: 'You declined this budget.' }).waitFor()
    await page.getByText('Too dear for <b>now</b>.').waitFor()
    expect(await detail(budget)).toMatchObject({ status: 'rejected', decision: { reason: 'Too dear for <b>now</b>.' } })
  })

  test('needs only the keyboard', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser, { viewport: PHONE })
    await page.goto(`${budget.url}?locale=en`)
    await isAlive(page)
    const tabTo = async (name: string | RegExp) => {
      for (let presses = 0; presses < 40; presses++) {
        const focused = page.locator(':focus')
        if (
          (await focused.count())
          && (
            await focused.evaluate(
              element =>
                `${element.textContent} ${(element as HTMLInputElement).name ?? ''} ${(element as HTMLInputElement).value ?? ''}`
            )
          ).match(name)
        )
          return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${name} is not reached by the keyboard`)
    }
    await tabTo(/\bcode\b/)
    await page.keyboard.type('482913')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await tabTo(/^\s*Accept\s*$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
    await tabTo(/consent/)
    await page.keyboard.press('Space')
    await tabTo(/Confirm and accept/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
    expect((await detail(budget)).status).toBe('accepted')
  })
})

describe('the Back button', () => {
  test.each([
    ['Accept', 'Review and sign'],
    ['Decline', 'Decline this budget']
  ])('leads from the step "%s" to the budget, and Forward to the step again', async (button, step) => {
    const budget = await aSentBudget(instance)
    const { page, complaints } = await openBudget(browser, budget)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: step }).waitFor()
    await page.waitForURL(/[?&]step=/) // the router adds the entry shortly after the step is shown
    await page.goBack()
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { name: step }).waitFor()
    await page.getByRole('button', { name: 'Back to the budget' }).click()
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    expect(page.url()).toBe(`${budget.url}?locale=en`)
    expect(complaints).toEqual([])
  })

  test('keeps the written text, and cannot lead back to it after the decision', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await openBudget(browser, budget)
    await beginAccepting(page)
    await page.getByRole('checkbox').check()
    await page.waitForURL(/[?&]step=/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await beginAccepting(page)
    expect(await page.getByRole('checkbox').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
    await expect.poll(() => page.url()).toBe(`${budget.url}?locale=en`)
    await page.goForward()
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Confirm and accept' }).count()).toBe(0)
  })

  test('opens the budget first when a URL from the middle of a step was saved', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await openBudget(browser, budget)
    await beginAccepting(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await expect.poll(() => page.url()).toBe(`${budget.url}?locale=en`)
  })
})

describe('the page after the decision', () => {
  test('shows the signed PDF instead of the validity and the unsigned PDF', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await openBudget(browser, budget)
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open as PDF' }).waitFor()
    await beginAccepting(page)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Confirm and accept' }).click()
    await page.getByRole('link', { name: 'Download signed PDF' }).waitFor()
    expect(await page.getByText('Valid', { exact: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Open as PDF' }).count()).toBe(0)
  })

  test('shows the decision and its copy again when link and code are used again', async () => {
    const budget = await aSentBudget(instance)
    const first = await openBudget(browser, budget)
    await beginAccepting(first.page)
    await first.page.getByRole('checkbox').check()
    await first.page.getByRole('button', { name: 'Confirm and accept' }).click()
    await first.page.getByRole('heading', { name: /Thank you/ }).waitFor()

    const { page } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=en`)
    await page.getByRole('heading', { name: 'You can no longer accept or decline this budget.' }).waitFor()
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: 'This budget was accepted.' }).waitFor()
    await page.getByRole('link', { name: 'Download signed PDF' }).waitFor()
    expect(await page.getByRole('button', { name: /^(?:Accept|Reject)$/ }).count()).toBe(0)
  })

  test('ends the session with its button, and the session is valid for one budget only', async () => {
    const one = await aSentBudget(instance)
    const other = await aSentBudget(instance)
    const { page, context } = await openBudget(browser, one)
    await page.goto(`${other.url}?locale=en`)
    await page.getByLabel('Your code').waitFor()

    await page.goto(`${one.url}?locale=en`)
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('The budget is closed on this device').waitFor()
    expect(await context.cookies()).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Your treatment budget is ready.' }).waitFor()
  })
})
