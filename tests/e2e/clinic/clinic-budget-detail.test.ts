import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { choose, createBudgetDetail, dialog } from '../../support/browser/budget-detail.ts'
import { aDraft, aPatient, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { aStaffVisit, aWalk, expectAccessible, expectAllVariants, visitPage, type Walk } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
let on: ReturnType<typeof createBudgetDetail>
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  on = createBudgetDetail(instance, browser)
})
afterAll(() => instance?.close())

describe('a budget from draft to decision', () => {
  test('is sent with link and code by a receptionist, accepted on a phone, and updated on both screens', async () => {
    const draft = await aDraft(instance)
    const { page, complaints } = await on.openDetail(draft)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByRole('radio', { name: 'Hand it over yourself' }).check()
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()

    await page.getByText('It is shown only once').waitFor()
    const code = (await page.locator('[data-code]').textContent())!.replace(/\D/g, '')
    expect(code).toMatch(/^\d{6}$/)
    await page.getByRole('button', { name: 'I have noted the code' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.getByText(code).count()).toBe(0)
    const url = await page.getByRole('textbox', { name: 'Link' }).inputValue()

    const patient = await aVisit(browser, { viewport: PHONE })
    await patient.page.goto(`${url}?locale=en`)
    await enterCode(patient.page, code)
    await patient.page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    await page.getByText('Lucía viewed this budget.').first().waitFor()

    await patient.page.getByRole('button', { name: 'Accept' }).click()
    await patient.page.getByRole('checkbox').check()
    await patient.page.getByRole('button', { name: 'Confirm and accept' }).click()
    await patient.page.getByRole('heading', { name: /Thank you/ }).waitFor()

    await page.getByText('Lucía accepted this budget.').first().waitFor()
    await page.getByRole('heading', { name: 'Decision' }).waitFor()
    await page.getByRole('link', { name: 'Signed PDF' }).first().waitFor()
    const shown = (await on.detail(draft)).signed_pdf.sha256
    await page.getByText(shown).waitFor()

    const invoice = await eventually(
      async () => (await (await instance.as('admin')).get(`${INVOICES}?budget_id=${draft.id}`)).body.data[0],
      'an invoice draft'
    )
    expect(invoice).toMatchObject({ budget: { number: draft.number }, status: 'draft' })
    await page.getByRole('link', { name: `Draft for ${draft.number}` }).waitFor()
    expect(complaints).toEqual([])
  })

  test('opens its dialog once with ?send=1, which lists missing data with links', async () => {
    const draft = await aDraft(instance, { items: [] })
    const { page } = await on.openDetail(draft, {}, '?send=1')
    await dialog(page).getByText('This budget has no treatments yet. Add one before you send it.').waitFor()
    expect(await dialog(page).getByRole('link', { name: 'Add a treatment' }).getAttribute('href')).toBe(
      `/budgets/${draft.id}/edit?field=lines`
    )
    expect(await dialog(page).getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-disabled')).toBe(
      'true'
    )
    expect(new URL(page.url()).search).toBe('')
  })

  test('can be sent by handing over the link when the patient has no email address', async () => {
    const patient = await aPatient(await instance.as('admin'), { email: null })
    const { page } = await on.openDetail(await aDraft(instance, { patient_id: patient.id }), {}, '?send=1')
    await dialog(page).getByText('The patient has no email address.').waitFor()
    expect(await dialog(page).getByRole('radio', { name: 'By email' }).isDisabled()).toBe(true)
    expect(await dialog(page).getByRole('radio', { name: 'Hand it over yourself' }).isChecked()).toBe(true)
    expect(await dialog(page).getByRole('link', { name: 'Add an email address' }).getAttribute('href')).toBe(
      `/patients/${patient.id}?field=email`
    )
  })

  test('cannot be sent with a message that contains the code, whether typed or generated', async () => {
    const draft = await aDraft(instance)
    const { page } = await on.openDetail(draft, {}, '?send=1')
    await dialog(page).getByRole('radio', { name: 'My own code' }).check()
    await dialog(page).getByRole('textbox', { name: 'Code' }).fill('7391')
    await dialog(page).getByLabel('Personal message in the email').fill('Your code is 73-91.')
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByText('The message contains the code.').first().waitFor()

    await on.staffCall(`${BUDGETS}/${draft.id}/set-public-code`, { code: '5555' })
    const again = await on.openDetail(draft, {}, '?send=1')
    await dialog(again.page).getByLabel('Personal message in the email').fill('5555')
    await dialog(again.page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(again.page).getByRole('alert').getByText('The message contains the code.').waitFor()
    expect(await dialog(again.page).getByLabel('Personal message in the email').inputValue()).toBe('5555')
    expect((await on.detail(draft)).status).toBe('draft')
  })
})

test('at each width of a desk nothing wraps or is cut beside the treatments, in every language', async () => {
  const clinic = await instance.anotherClinic()
  const there: Built = { ...instance, clinic, as: role => instance.as(role, clinic) }
  await (await there.as('admin')).patch('/api/v1/clinic', { prices_include_tax: true })
  const budget = await aSentBudget(there)
  const { page, context } = await on.openDetail(budget, { clinic })
  for (const locale of ['en', 'es', 'fr', 'de', 'pt', 'ar']) {
    await context.addCookies([{ name: 'svc_language', value: locale, url: instance.url }])
    await visitPage(page, `${instance.url}/budgets/${budget.id}`)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    for (const width of [1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect({ locale, width, ...await measureDetail(page) }).toEqual({ locale, width, ...A_WHOLE_DETAIL })
    }
  }
})

/** What is not whole on the page of a budget. */
const measureDetail = (page: Page) => page.evaluate(() => {
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1
  const table = document.querySelector('table[data-lines]')!
  const [lines, link] = [table, document.querySelector('input[readonly]')!].map(one => one.getBoundingClientRect())
  return {
    lineHeights: [...table.querySelectorAll('tbody tr')].filter(row => row.clientHeight > 44).length,
    scrollsSideways: isCut(table.parentElement!),
    isOverlapping: lines!.right > link!.left && link!.right > lines!.left,
    brokenButtons: [...document.querySelectorAll('main :is(button, a[data-slot=base])')]
      .filter(button => button.clientHeight > 44 || [button, ...button.children].some(isCut))
      .map(button => button.textContent)
  }
})
const A_WHOLE_DETAIL = { lineHeights: 0, scrollsSideways: false, isOverlapping: false, brokenButtons: [] }

describe('a code other than the draft\'s', () => {
  async function withCode() {
    const draft = await aDraft(instance)
    await on.staffCall(`${BUDGETS}/${draft.id}/set-public-code`, { code: '5555' })
    const { page } = await on.openDetail(draft, {}, '?send=1')
    await dialog(page).getByRole('radio', { name: 'Generate a code' }).check()
    return { draft, page }
  }
  const told = async (page: Page) => (await page.locator('[data-code]').textContent())!.replace(/\D/g, '')

  test('is generated before sending, is shown, and opens the link', async () => {
    const { draft, page } = await withCode()
    await dialog(page).getByRole('radio', { name: 'Hand it over yourself' }).check()
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    const code = await told(page)
    const { url } = (await on.detail(draft)).link
    const verify = async (code: string) =>
      (await instance.anonymous().post(`/api/v1/public/budgets/${url.split('/').at(-1)}/verify`, { code })).status
    expect([await verify('5555'), await verify(code)]).toEqual([401, 200])
  })

  test('is shown even if the budget cannot be sent, and the message is kept', async () => {
    const { draft, page } = await withCode()
    // This is more than the code, so that it cannot be compared.
    const numbers = Array.from({ length: 40 }, (_, n) => 10_000 + 7 * n).join(', ')
    await dialog(page).getByLabel('Personal message in the email').fill(numbers)
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    expect(await told(page)).toMatch(/^\d{6}$/)
    await page.getByRole('button', { name: 'I have noted the code' }).click()
    await page.locator('[data-code]').waitFor({ state: 'detached' })
    await page.getByRole('alert').first().waitFor()
    expect(await on.detail(draft)).toMatchObject({ status: 'draft', link: { has_code: true } })

    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect(await dialog(page).getByLabel('Personal message in the email').inputValue()).toBe(numbers)
    expect(await dialog(page).getByRole('radio', { name: 'Keep the current code' }).isChecked()).toBe(true)
  })
})

test('text in a closed dialog is kept, and the page asks before it is lost', async () => {
  const budget = await aSentBudget(instance)
  const { page } = await on.openDetail(budget)
  await choose(page, 'Decline in the clinic')
  await dialog(page).getByLabel('Explain in a few words').fill('Too dear for us')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  const asked = page.waitForEvent('dialog')
  const leaving = page.getByRole('link', { name: 'Patients', exact: true }).click()
  await (await asked).dismiss()
  await leaving
  await choose(page, 'Decline in the clinic')
  expect(await dialog(page).getByLabel('Explain in a few words').inputValue()).toBe('Too dear for us')
})

test('the page asks about typed text before a copy is made', async () => {
  const budget = await aSentBudget(instance)
  const { page } = await on.openDetail(budget)
  const asked: string[] = []
  let answer = false
  page.on('dialog', (question) => {
    asked.push(question.message())
    return answer ? question.accept() : question.dismiss()
  })
  await choose(page, 'Decline in the clinic')
  await dialog(page).getByLabel('Explain in a few words').fill('Too dear for us')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  const copies = async () =>
    (await (await instance.as('admin')).get(`${BUDGETS}?patient_id=${(await on.detail(budget)).patient_id}`)).body.total
  await choose(page, 'Duplicate')
  expect([asked.length, await copies()]).toEqual([1, 1])
  answer = true
  await choose(page, 'Duplicate')
  await page.waitForURL(/\/edit$/)
  expect([asked.length, await copies()]).toEqual([2, 2])
})

test('the timeline names the time zone of its times and the person who sent the replacement', async () => {
  const budget = await aSentBudget(instance)
  const { body } = await on.staffCall(`${BUDGETS}/${budget.id}/revise`)
  await on.staffCall(`${BUDGETS}/${body.data.id}/send`, { channel: 'manual', code: '4711' })
  const { superseded_by_user, time_zone } = await on.detail(budget)
  const { page } = await on.openDetail(budget)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText(`Times in ${time_zone}`).waitFor()
  await timeline.getByRole('listitem').first().getByText(superseded_by_user.name).waitFor()
})

describe('the link of a sent budget', () => {
  test('is shown as locked after wrong codes without a reload, and unlocked with a reason', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await on.lock(budget)
    await page.getByText('The link was locked after too many wrong codes.').first().waitFor()
    await page.getByRole('timer').getByText(/\d+:\d\d left/).waitFor()

    await page.getByRole('button', { name: 'Unlock' }).first().click() // in the banner
    await dialog(page).getByLabel('Reason').fill('The patient called')
    await dialog(page).getByRole('button', { name: 'Unlock' }).click()
    await page.getByText('Code set').waitFor()
    await page.getByText('The patient called', { exact: true }).waitFor()
    expect((await on.detail(budget)).link).toMatchObject({ locked: false, failed_attempts: 0 })
  })

  test('is replaced by a new one after a question', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await page.getByRole('button', { name: 'Create new link' }).click()
    await dialog(page).getByText('The old link stops working at once.').waitFor()
    await dialog(page).getByRole('radio', { name: 'Hand it over yourself' }).check()
    await dialog(page).getByRole('button', { name: 'Create new link' }).click()
    await dialog(page).waitFor({ state: 'detached' })

    await expect.poll(() => page.getByRole('textbox', { name: 'Link' }).inputValue()).not.toBe(budget.url)
    expect((await instance.anonymous().get(`${budget.base}/meta`)).status).toBe(404)
    await page.getByText('New link created; the old one stopped working').waitFor()
  })

  test('has a text for messengers in the patient\'s language, with the link and never the code', async () => {
    const patient = await aPatient(await instance.as('admin'), { locale: 'de', phone: '+49 (0)170 123 45 67' })
    const budget = await aSentBudget(instance, { patient_id: patient.id })
    const { page } = await on.openDetail(budget)
    const href = async () => new URL((await page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href'))!)
    // The patient's number is added after the budget was created.
    await expect.poll(async () => (await href()).pathname).toBe('/491701234567')
    const address = await href()
    expect(address.host).toBe('wa.me')
    const text = address.searchParams.get('text')!
    expect(text).toContain('Kostenvoranschlag')
    expect(text).toContain(budget.url)
    expect(text).not.toContain(budget.code)
    expect(await page.getByRole('link', { name: 'SMS' }).getAttribute('href')).toMatch(/^sms:\+491701234567\?body=/)
  })

  test('gets another code when the first is lost, which ends the sessions of the first one', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { page } = await on.openDetail(budget)
    await page.getByRole('button', { name: 'Change code' }).click()
    await dialog(page).getByRole('button', { name: 'Set code' }).click()
    await page.locator('[data-code]').waitFor()
    expect((await patient.get(budget.base)).status).toBe(401)
  })
})

test('the preview shows the patient\'s page and leaves no traces', async () => {
  const budget = await aSentBudget(instance)
  const { page, complaints } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets/${budget.id}/preview`)
  await page.getByText('This is a preview').waitFor()
  await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  expect(await page.getByRole('button', { name: 'Accept' }).getAttribute('aria-disabled')).toBe('true')
  expect((await on.detail(budget)).viewed_at).toBeNull()
  expect(complaints).toEqual([])
  await expectAccessible(page)
})

test('a budget can be sent with the keyboard only', async () => {
  const { page } = await on.openDetail(await aDraft(instance))
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 60; presses++) {
      const focused = page.locator(':focus')
      if (
        (await focused.count())
        && `${await focused.textContent()} ${(await focused.getAttribute('aria-label')) ?? ''}`.match(name)
      )
        return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${name} is not reached by the keyboard`)
  }
  await tabTo(/^\s*Send\s*$/)
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('radio', { name: 'By email' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.down('ArrowDown') // as a person does: the radio group checks whether the key is still down
  await dialog(page).getByRole('radio', { name: 'Hand it over yourself', checked: true }).waitFor()
  await page.keyboard.up('ArrowDown')
  await tabTo(/^\s*Send\s*$/)
  await page.keyboard.press('Enter')
  await page.locator('[data-code]').waitFor()
  await tabTo(/I have noted the code/)
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
})

describe('the page of a budget is accessible', () => {
  let walk: Walk
  beforeAll(async () => { walk = await aWalk(browser, instance) })
  afterAll(() => walk.leave())

  const STATES: Record<string, () => Promise<{ id: string }>> = {
    draft: () => aDraft(instance),
    sent: () =>
      aSentBudget(instance, {
        global_discount: { type: 'percent', value: '10' },
        patient_notes: 'Two visits',
        internal_notes: 'Call first'
      }),
    locked: async () => {
      const budget = await aSentBudget(instance)
      await on.lock(budget)
      return budget
    },
    accepted: async () => {
      const budget = await aSentBudget(instance)
      await on.acceptByLink(budget)
      await eventually(async () => (await on.detail(budget)).signed_pdf.status === 'ready', 'the signed PDF')
      return budget
    }
  }

  test.each(Object.keys(STATES))(
    'in the state "%s", without serious findings in English and Arabic, light and dark, wide and at 320 px',
    async (state) => {
      const budget = await STATES[state]!()
      await expectAllVariants(walk, `/budgets/${budget.id}`, page => page.getByText(/PRES-/).first().waitFor())
    }
  )

  test.each(['Send', 'More'])('in the dialog "%s" of the draft', async (name) => {
    const { page } = await on.openDetail(await aDraft(instance))
    await page.getByRole('button', { name, exact: true }).click()
    await dialog(page).waitFor()
    await expectAccessible(page)
  })
})
