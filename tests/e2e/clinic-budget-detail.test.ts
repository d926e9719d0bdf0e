import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, aVisit, PHONE, type Visit } from '../support/browser.ts'
import { ACCEPTANCE, aDraft, aPatient, aSentBudget, aVerifiedPatient, BUDGETS, eventually, type SentBudget } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/built.ts'
import { INVOICES } from '../support/invoices.ts'
import { enterCode } from '../support/patient-page.ts'
import { aStaffVisit, expectAccessible, visitPage, type StaffVisitOptions } from '../support/staff-page.ts'

let it: Built
let browser: Browser
beforeAll(async () => {
  it = await aBuiltInstance()
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await it?.close()
})

const detail = async ({ id }: { id: string }) => (await (await it.as('admin')).get(`${BUDGETS}/${id}`)).body.data
const staffCall = async (path: string, body: unknown = undefined) => (await it.as('admin')).post(path, body)

async function openDetail(budget: { id: string }, options: StaffVisitOptions = {}, query = ''): Promise<Visit> {
  const visit = await aStaffVisit(browser, it, options)
  await visitPage(visit.page, `${it.url}/budgets/${budget.id}${query}`)
  return visit
}

const dialog = (page: Page) => page.getByRole('dialog')
/** Of the menu, where every action is. */
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: action, exact: true }).click()
}
/** Why it cannot be done, as the menu says. */
async function reasonAgainst(page: Page, action: string): Promise<string> {
  const button = page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: action, exact: true })
  expect([action, await button.getAttribute('aria-disabled')]).toEqual([action, 'true'])
  return (await page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`).textContent())!.trim()
}

async function lock(budget: SentBudget): Promise<void> {
  for (let tries = 0; tries < 5; tries++) await it.anonymous().post(`${budget.base}/verify`, { code: '0000' })
}
async function acceptByLink(budget: SentBudget): Promise<void> {
  const { status, body } = await (await aVerifiedPatient(it, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
  if (status !== 200) throw new Error(JSON.stringify(body))
}

describe('from the draft to the decision', () => {
  test('a receptionist sends and tells the code, the patient accepts on a phone, and both see it at once', async () => {
    const draft = await aDraft(it)
    const { page, complaints } = await openDetail(draft)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByRole('radio', { name: 'By hand' }).check()
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()

    await page.getByText('It is shown this once.').waitFor()
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
    await page.getByText('Lucía opened this budget.').first().waitFor()

    await patient.page.getByRole('button', { name: 'Accept' }).click()
    await patient.page.getByRole('checkbox').check()
    await patient.page.getByRole('button', { name: 'Confirm and accept' }).click()
    await patient.page.getByRole('heading', { name: /Thank you/ }).waitFor()

    await page.getByText('Lucía accepted this budget.').first().waitFor()
    await page.getByRole('heading', { name: 'Decision' }).waitFor()
    await page.getByRole('link', { name: 'Signed PDF' }).first().waitFor()
    const shown = (await detail(draft)).signed_pdf.sha256
    await page.getByText(shown).waitFor()

    const invoice = await eventually(async () => (await (await it.as('admin')).get(`${INVOICES}?budget_id=${draft.id}`)).body.data[0], 'an invoice draft')
    expect(invoice).toMatchObject({ budget: { number: draft.number }, status: 'draft' })
    await page.getByRole('link', { name: `Draft for ${draft.number}` }).waitFor()
    expect(complaints).toEqual([])
  })

  test('?send=1 opens the dialog once; what is missing is said with the way there', async () => {
    const draft = await aDraft(it, { items: [] })
    const { page } = await openDetail(draft, {}, '?send=1')
    await dialog(page).getByText('This budget has no treatments yet. Add one before sending it.').waitFor()
    expect(await dialog(page).getByRole('link', { name: 'To the editor' }).getAttribute('href')).toBe(`/budgets/${draft.id}/edit`)
    expect(await dialog(page).getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-disabled')).toBe('true')
    expect(new URL(page.url()).search).toBe('')
  })

  test('a patient without an e-mail address gets the link by hand', async () => {
    const patient = await aPatient(await it.as('admin'), { email: null })
    const { page } = await openDetail(await aDraft(it, { patient_id: patient.id }), {}, '?send=1')
    await dialog(page).getByText('The patient has no e-mail address.').waitFor()
    expect(await dialog(page).getByRole('radio', { name: 'By e-mail' }).isDisabled()).toBe(true)
    expect(await dialog(page).getByRole('link', { name: 'Add an address to the patient' }).getAttribute('href')).toBe(`/patients/${patient.id}`)
  })

  test('a message that gives the code away is refused, with one\'s own code and with the draft\'s', async () => {
    const draft = await aDraft(it)
    const { page } = await openDetail(draft, {}, '?send=1')
    await dialog(page).getByRole('radio', { name: 'My own code' }).check()
    await dialog(page).getByRole('textbox', { name: 'Code' }).fill('7391')
    await dialog(page).getByLabel('A few words in the e-mail').fill('Your code is 73-91.')
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByText('The message holds the code.').first().waitFor()

    await staffCall(`${BUDGETS}/${draft.id}/set-public-code`, { code: '5555' })
    const again = await openDetail(draft, {}, '?send=1')
    await dialog(again.page).getByLabel('A few words in the e-mail').fill('5555')
    await dialog(again.page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(again.page).getByRole('alert').getByText('The message holds the code.').waitFor()
    expect(await dialog(again.page).getByLabel('A few words in the e-mail').inputValue()).toBe('5555')
    expect((await detail(draft)).status).toBe('draft')
  })
})

describe('the link', () => {
  test('locked after wrong codes, seen without reloading, and unlocked with a reason', async () => {
    const budget = await aSentBudget(it)
    const { page } = await openDetail(budget)
    await lock(budget)
    await page.getByText('The link is locked after wrong codes.').first().waitFor()
    await page.getByRole('timer').getByText(/\d+:\d\d left/).waitFor()

    await page.getByRole('button', { name: 'Unlock' }).click()
    await dialog(page).getByLabel('Reason').fill('The patient called')
    await dialog(page).getByRole('button', { name: 'Unlock' }).click()
    await page.getByText('There is a code').waitFor()
    await page.getByText('The patient called', { exact: true }).waitFor()
    expect((await detail(budget)).link).toMatchObject({ locked: false, failed_attempts: 0 })
  })

  test('a new link ends the old one, after a question', async () => {
    const budget = await aSentBudget(it)
    const { page } = await openDetail(budget)
    await page.getByRole('button', { name: 'Make a new link' }).click()
    await dialog(page).getByText('The old link stops working at once.').waitFor()
    await dialog(page).getByRole('radio', { name: 'By hand' }).check()
    await dialog(page).getByRole('button', { name: 'Make a new link' }).click()
    await dialog(page).waitFor({ state: 'detached' })

    const url = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    expect(url).not.toBe(budget.url)
    expect((await it.anonymous().get(`${budget.base}/meta`)).status).toBe(404)
    await page.getByText('New link made, the old one stopped working').waitFor()
  })

  test('the text for messengers is the patient\'s language, holds the link and never the code', async () => {
    const patient = await aPatient(await it.as('admin'), { locale: 'de', phone: '+49 (0)170 123 45 67' })
    const budget = await aSentBudget(it, { patient_id: patient.id })
    const { page } = await openDetail(budget)
    const href = (await page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href'))!
    const address = new URL(href)
    expect(address.host + address.pathname).toBe('wa.me/491701234567')
    const text = address.searchParams.get('text')!
    expect(text).toContain('Kostenvoranschlag')
    expect(text).toContain(budget.url)
    expect(text).not.toContain(budget.code)
    expect(await page.getByRole('link', { name: 'SMS' }).getAttribute('href')).toMatch(/^sms:\+491701234567\?body=/)
  })

  test('a lost code: another one, of which the old one\'s sessions end', async () => {
    const budget = await aSentBudget(it)
    const patient = await aVerifiedPatient(it, budget)
    const { page } = await openDetail(budget)
    await page.getByRole('button', { name: 'Change the code' }).click()
    await dialog(page).getByRole('button', { name: 'Set the code' }).click()
    await page.locator('[data-code]').waitFor()
    expect((await patient.get(budget.base)).status).toBe(401)
  })
})

describe('in the clinic', () => {
  test('the patient signs by drawing, and who is logged in is the witness', async () => {
    const budget = await aSentBudget(it)
    const { page } = await openDetail(budget)
    await page.getByRole('button', { name: 'Accept in the clinic' }).first().click()
    await dialog(page).getByRole('radio', { name: 'By drawing' }).check()
    const canvas = page.locator('canvas')
    await canvas.waitFor()
    await dialog(page).getByRole('button', { name: 'Confirm and accept' }).click()
    await dialog(page).getByText('Draw your signature, or choose another way to sign.').waitFor()

    await canvas.scrollIntoViewIfNeeded()
    const box = (await canvas.boundingBox())!
    await page.mouse.move(box.x + 30, box.y + 80)
    await page.mouse.down()
    for (let step = 1; step <= 20; step++) await page.mouse.move(box.x + 30 + step * 9, box.y + 80 + 30 * Math.sin(step / 2))
    await page.mouse.up()
    await dialog(page).getByRole('checkbox').check()
    await dialog(page).getByRole('button', { name: 'Confirm and accept' }).click()

    await page.getByRole('img', { name: 'Drawn signature of Lucía Muñoz' }).waitFor()
    expect((await detail(budget)).decision).toMatchObject({ via: 'in_clinic', method: 'drawn', witness: { name: 'Rosa receptionist' } })
  })

  test('what was typed stays while the budget changes below, and a decision that came first is said', async () => {
    const budget = await aSentBudget(it)
    const { page } = await openDetail(budget)
    await page.getByRole('button', { name: 'Reject in the clinic' }).first().click()
    await dialog(page).getByLabel('Your reason').fill('Too dear for us')
    await acceptByLink(budget)
    await page.getByText('Lucía accepted this budget.').first().waitFor({ state: 'attached' })
    expect(await dialog(page).getByLabel('Your reason').inputValue()).toBe('Too dear for us')

    await dialog(page).getByRole('button', { name: 'Confirm and reject' }).click()
    await dialog(page).getByText('This budget was decided already.').waitFor()
    expect((await detail(budget)).status).toBe('accepted')
  })

  test('a rejection needs the patient\'s words', async () => {
    const budget = await aSentBudget(it)
    const { page } = await openDetail(budget)
    await page.getByRole('button', { name: 'Reject in the clinic' }).first().click()
    await dialog(page).getByRole('button', { name: 'Confirm and reject' }).click()
    await dialog(page).getByText('Write a reason. A few words are enough.').waitFor()
    await dialog(page).getByLabel('Your reason').fill('A second opinion first')
    await dialog(page).getByRole('radio', { name: 'I want a second opinion' }).check()
    await dialog(page).getByRole('button', { name: 'Confirm and reject' }).click()
    await page.getByRole('heading', { name: 'Decision' }).waitFor()
    await page.getByText('A second opinion first').waitFor()
  })
})

describe('what is forbidden says why', () => {
  test('by the state', async () => {
    const budget = await aSentBudget(it)
    await acceptByLink(budget)
    const { page } = await openDetail(budget)
    await page.getByRole('button', { name: 'More' }).click()
    expect(await reasonAgainst(page, 'Edit')).toBe('It was accepted, which is final. Duplicate it to make a new budget.')
    expect(await reasonAgainst(page, 'Revise')).toBe('It was accepted, which is final. Duplicate it to make a new budget.')
    expect(await reasonAgainst(page, 'Cancel the budget')).toContain('final')
    expect(await reasonAgainst(page, 'Delete the draft')).toBe('Only a draft can be deleted.')
    expect(await reasonAgainst(page, 'Unlock')).toBe('Nothing is locked.')
  })

  test('by the permission', async () => {
    const { page } = await openDetail(await aSentBudget(it), { role: 'assistant' })
    await page.getByRole('button', { name: 'More' }).click()
    for (const action of ['Edit', 'Send', 'Send again', 'Accept in the clinic', 'Reject in the clinic', 'Set a code', 'Make a new link', 'Revise', 'Duplicate', 'Cancel the budget', 'Delete the draft']) {
      expect(await reasonAgainst(page, action)).toBe('Permission denied: budget.write')
    }
    await page.getByRole('group', { name: 'Actions' }).getByRole('link', { name: 'Preview as patient' }).waitFor()
  })

  test('an unknown budget, and one of another clinic', async () => {
    const { page } = await openDetail({ id: '00000000-0000-4000-8000-000000000000' })
    await page.getByText('There is no such budget').waitFor()
    const other = await it.anotherClinic()
    const foreign = await openDetail(await aSentBudget(it), { role: 'admin', clinic: other })
    await foreign.page.getByText('There is no such budget').waitFor()
  })
})

describe('versions', () => {
  test('a revised version stands beside the old one with what differs', async () => {
    const budget = await aSentBudget(it)
    const revised = (await staffCall(`${BUDGETS}/${budget.id}/revise`)).body.data
    await (await it.as('admin')).patch(`${BUDGETS}/${revised.id}`, { global_discount: { type: 'percent', value: '10' } })
    const { page } = await openDetail(revised)
    await page.getByRole('button', { name: 'Difference Version 1' }).click()
    const difference = page.getByRole('group', { name: 'From version 1 to version 2' })
    await difference.getByText('Discount on the whole').waitFor()
    expect(await difference.getByText('€108.90').count()).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Version 1' }).click()
    await page.getByRole('button', { name: 'Difference Version 2' }).waitFor()
  })

  test('a cancelled budget can be revised, a draft deleted', async () => {
    const budget = await aSentBudget(it)
    const { page } = await openDetail(budget)
    await choose(page, 'Cancel the budget')
    await dialog(page).getByLabel('Reason').fill('The patient moved away')
    await dialog(page).getByRole('button', { name: 'Cancel the budget' }).click()
    await page.getByText('The patient moved away').waitFor()
    await page.getByRole('button', { name: 'Revise' }).first().click()
    await page.waitForURL(/\/edit$/)

    const draft = await aDraft(it)
    const other = await openDetail(draft)
    await choose(other.page, 'Delete the draft')
    await dialog(other.page).getByRole('button', { name: 'Delete the draft' }).click()
    await other.page.waitForURL(`${it.url}/budgets`)
  })
})

test('the preview shows the patient\'s page, and leaves no trace', async () => {
  const budget = await aSentBudget(it)
  const { page, complaints } = await aStaffVisit(browser, it)
  await visitPage(page, `${it.url}/budgets/${budget.id}/preview`)
  await page.getByText('This is a preview').waitFor()
  await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  expect(await page.getByRole('button', { name: 'Accept' }).getAttribute('aria-disabled')).toBe('true')
  expect((await detail(budget)).viewed_at).toBeNull()
  expect(complaints).toEqual([])
  await expectAccessible(page)
})

test('the keyboard alone is enough to send', async () => {
  const { page } = await openDetail(await aDraft(it))
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 60; presses++) {
      const focused = page.locator(':focus')
      if (await focused.count() && `${await focused.textContent()} ${await focused.getAttribute('aria-label') ?? ''}`.match(name)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${name} is not reached by the keyboard`)
  }
  await tabTo(/^\s*Send\s*$/)
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('radio', { name: 'By e-mail' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown', { delay: 100 }) // as a hand does: the group looks whether the key is still down
  await dialog(page).getByRole('radio', { name: 'By hand', checked: true }).waitFor()
  await tabTo(/^\s*Send\s*$/)
  await page.keyboard.press('Enter')
  await page.locator('[data-code]').waitFor()
  await tabTo(/I have noted the code/)
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
})

describe('everybody can use it', () => {
  const STATES: Record<string, () => Promise<{ id: string }>> = {
    draft: () => aDraft(it),
    sent: () => aSentBudget(it, { global_discount: { type: 'percent', value: '10' }, patient_notes: 'Two visits', internal_notes: 'Call first' }),
    locked: async () => {
      const budget = await aSentBudget(it)
      await lock(budget)
      return budget
    },
    accepted: async () => {
      const budget = await aSentBudget(it)
      await acceptByLink(budget)
      await eventually(async () => (await detail(budget)).signed_pdf.status === 'ready', 'the signed PDF')
      return budget
    }
  }

  test.each(Object.keys(STATES))('%s: no serious finding in English and Arabic, light and dark, wide and at 320 px', async (state) => {
    const budget = await STATES[state]!()
    for (const locale of ['en', 'ar']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, context } = await openDetail(budget, { locale, colorScheme })
        await page.getByText(/PRES-/).first().waitFor()
        await expectAccessible(page)
        await page.setViewportSize({ width: 320, height: 700 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
        await context.close()
      }
    }
  })

  test.each(['Send', 'More'])('the draft\'s "%s" is no exception', async (name) => {
    const { page } = await openDetail(await aDraft(it))
    await page.getByRole('button', { name, exact: true }).click()
    await dialog(page).waitFor()
    await expectAccessible(page)
  })
})
