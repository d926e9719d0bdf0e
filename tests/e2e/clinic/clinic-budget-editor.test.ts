import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PHONE, theBrowser } from '../../support/browser/browser.ts'
import { aDraft, aPatient, aProfessional, aSentBudget, aTreatment, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { openBudget } from '../../support/browser/patient-page.ts'
import { aStaffVisit, expectAccessible, focusedLabel, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const detail = async (id: string) => (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data
const digits = (text: string | null) => text?.replace(/[^\d.]/g, '')
const lineOf = (page: Page, n: number) => page.getByRole('group', { name: new RegExp(`^Line ${n}:`) })
const namesOf = (page: Page) =>
  page
    .getByRole('group', { name: /^Line \d+:/ })
    .evaluateAll(groups => groups.map(group => group.getAttribute('aria-label')!.replace(/^Line \d+: /, '')))
const picker = (page: Page) => page.getByRole('combobox', { name: 'Add a treatment: name or code' })
const hasFocus = (field: Locator) =>
  expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/budgets\/[0-9a-f-]{36}$/)
  return await detail(new URL(page.url()).pathname.split('/').at(-1)!)
}
const aNamed = async (name: string, fields = {}) =>
  aTreatment(await instance.as('admin'), { name: { en: name }, vat: '0', ...fields })

/** A draft with one line for each name, open in the editor. */
async function editing(names: string[], fields = {}) {
  const treatments = await Promise.all(names.map(name => aNamed(name)))
  const draft = await aDraft(instance, { items: treatments.map(({ id }) => ({ treatment_id: id })), ...fields })
  const { page } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
  return { page, draft, treatments }
}

/** The search for treatments answers only once `release` is called. */
async function holdSearch(page: Page) {
  const { promise, resolve: release } = Promise.withResolvers<unknown>()
  await page.route('**/api/v1/catalog/treatments?*', async (route) => {
    await promise
    await route.continue()
  })
  return () => release(null)
}

test('a budget of six lines with teeth takes at most 20 keyboard actions until its link is copied', async () => {
  const staff = await instance.as('admin')
  const patient = await aPatient(staff, { first_name: 'Berenguela', last_name: 'Soto' })
  await aProfessional(instance, undefined, 'Amparo Gil')
  await aProfessional(instance, undefined, 'Bruno Sanz')
  const wanted = [
    ['Porcelain crown', '16', null],
    ['Composite inlay', '26', 'MO'],
    ['Fibre post', '36', null],
    ['Sealant layer', '37', 'O'],
    ['Gold onlay', '46', 'MOD'],
    ['Pulp capping', '47', null]
  ] as const
  const treatments = await Promise.all(wanted.map(([name]) => aNamed(name)))
  const { page, context, complaints } = await aStaffVisit(browser, instance)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url })
  await visitPage(page, `${instance.url}/patients/${patient.id}`)
  await page.getByRole('link', { name: 'New budget' }).waitFor()

  let actions = 0
  const press = async (key: string) => {
    actions++
    await page.keyboard.press(key)
  }
  /** Holds the key as long as a person does: the selection follows the focus only while the key is down. */
  const hold = async (key: string, isDone: () => Promise<boolean>) => {
    actions++
    await page.keyboard.down(key)
    await expect.poll(isDone).toBe(true)
    await page.keyboard.up(key)
  }
  const type = async (text: string) => {
    actions++
    await page.keyboard.type(text)
  }

  await press('Alt+n')
  await page.waitForURL(/\/budgets\/new/)
  await hasFocus(page.getByLabel('Clinician', { exact: true }))
  await press('Enter')
  await page.getByRole('option', { name: 'Bruno Sanz' }).waitFor()
  await type('Bruno')
  await press('Enter')
  await hasFocus(picker(page))
  for (const [index, [name, tooth, surfaces]] of wanted.entries()) {
    await type([name, tooth, surfaces?.toLowerCase()].filter(Boolean).join(' '))
    await press('Enter') // at once, because the editor waits for the response
    await lineOf(page, index + 1).waitFor()
    await hasFocus(picker(page)) // for the next treatment: a receptionist types one after the other
  }
  await press('Control+Enter')
  await hasFocus(page.getByRole('dialog').getByRole('radio', { checked: true }).first())
  await hold('ArrowDown', () => page.getByRole('radio', { name: 'Hand it over yourself' }).isChecked())
  await press('Control+Enter')
  await hasFocus(page.getByRole('dialog').getByRole('button', { name: /^Copy link/ }))
  await press('Enter')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http/)

  expect(actions).toBeLessThanOrEqual(20)
  const sent = await detail(new URL(page.url()).pathname.split('/').at(-1)!)
  expect(sent).toMatchObject({ status: 'sent', patient_id: patient.id, professional: { name: 'Bruno Sanz' } })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sent.link.url)
  expect(sent.items).toMatchObject(
    wanted.map(([, tooth, surfaces], index) => ({
      treatment_id: treatments[index].id,
      teeth: [tooth],
      surfaces: [...surfaces ?? ''],
      quantity: 1
    }))
  )
  expect(complaints).toEqual([])

  // The next budget for the same patient starts with the same clinician.
  await page.keyboard.press('Escape')
  await visitPage(page, `${instance.url}/budgets/new?patient=${patient.id}`)
  await page.getByLabel('Clinician', { exact: true }).getByText('Bruno Sanz').waitFor()
  await hasFocus(picker(page))
})

describe('the search for a treatment', () => {
  test('highlights the first result of every response, and Enter selects it', async () => {
    const { page } = await editing([])
    await Promise.all(['Implant abutment', 'Implant body', 'Implant crown'].map(name => aNamed(name)))
    const isFirstHighlighted = async (name: string) => {
      const first = page.locator('[role=option]:not([data-disabled])').first()
      await expect.poll(() => first.textContent()).toContain(name)
      await expect.poll(() => first.getAttribute('data-highlighted')).toBe('')
      await expect
        .poll(async () => (await picker(page).getAttribute('aria-activedescendant')) === (await first.getAttribute('id')))
        .toBe(true)
    }
    await picker(page).focus()
    await page.keyboard.type('implant')
    await isFirstHighlighted('Implant')
    await page.keyboard.type(' cr')
    await isFirstHighlighted('Implant crown')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Line 1: Implant crown' }).waitFor()
    expect(await picker(page).inputValue()).toBe('')
  })

  test('waits for the response after an early Enter, and cancels the selection when typing continues', async () => {
    const { page } = await editing([])
    await Promise.all([aNamed('Zirconia bridge'), aNamed('Ceramic veneer')])
    const release = await holdSearch(page)
    await picker(page).focus()
    await page.keyboard.type('zirc')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ceramic veneer 11 21')
    const asked = page.waitForRequest(/catalog\/treatments\?.*ceramic/)
    await page.keyboard.press('Enter')
    await asked
    expect(await namesOf(page)).toEqual([])
    release()
    await page.getByRole('group', { name: 'Line 1: Ceramic veneer' }).waitFor()
    await hasFocus(picker(page))
    expect(await lineOf(page, 1).getByRole('button', { name: /^Remove \d/ }).count()).toBe(2)
    expect(await lineOf(page, 1).getByLabel('Quantity').inputValue()).toBe('2')
    expect(await namesOf(page)).toHaveLength(1)
  })

  test('does not read a number in the name of a treatment as a tooth', async () => {
    const { page } = await editing([])
    await Promise.all([aNamed('Aligner set 24'), aNamed('Aligner set 12')])
    await picker(page).focus()
    await page.keyboard.type('aligner set 24')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Line 1: Aligner set 24' }).waitFor()
    expect(await lineOf(page, 1).getByLabel('Tooth').inputValue()).toBe('')
  })

  test('gets the focus by Enter from the quantity, the tooth and the surfaces', async () => {
    const { page } = await editing(['Flap surgery'])
    const line = lineOf(page, 1)
    for (const label of ['Quantity', 'Tooth', 'Surfaces']) {
      await line.getByLabel(label).focus()
      await page.keyboard.press('Enter')
      await hasFocus(picker(page))
    }
  })
})

describe('a line of the editor', () => {
  test('is copied below itself as shown, and the copy starts at its tooth field', async () => {
    const { page, draft, treatments } = await editing(['Bone graft', 'Membrane'], { patient_notes: 'Kept' })
    await (await instance.as('admin')).patch(`/api/v1/catalog/treatments/${treatments[0].id}`, { vat: '21' })
    const line = lineOf(page, 1)
    await line.getByLabel('Tooth').fill('36')
    await line.getByLabel('Discount', { exact: true }).fill('10')
    await line.getByRole('button', { name: 'Copy the line' }).press('Enter')
    await expect.poll(() => namesOf(page)).toEqual(['Bone graft', 'Bone graft', 'Membrane'])
    await page.getByRole('status').getByText('Copied: now line 2 of 3').waitFor()
    await hasFocus(lineOf(page, 2).getByLabel('Tooth'))
    await lineOf(page, 2).getByText('21% tax').waitFor()
    await page.keyboard.type('46')
    const shown = digits(await page.locator('[data-total]').textContent())
    const saved = await save(page)
    expect(saved.totals.total).toBe(shown)
    expect(saved.items).toMatchObject([
      { id: draft.items[0].id, teeth: ['36'], vat: '0', discount: { type: 'percent', value: '10' } },
      { teeth: ['46'], vat: '21', discount: { type: 'percent', value: '10' } },
      { id: draft.items[1].id }
    ])
  })

  test('is moved by keyboard from any of its fields, keeps the focus, and announces its position', async () => {
    const { page } = await editing(['Alpha', 'Beta', 'Gamma'])
    const quantity = lineOf(page, 3).getByLabel('Quantity')
    await quantity.focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').getByText('Now line 2 of 3').waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').getByText('Now line 1 of 3').waitFor()
    expect(await namesOf(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
    await hasFocus(lineOf(page, 1).getByLabel('Quantity'))
    await page.keyboard.press('Alt+ArrowUp') // it is the first line, so that nothing happens
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => namesOf(page)).toEqual(['Alpha', 'Gamma', 'Beta'])
    await hasFocus(lineOf(page, 2).getByLabel('Quantity'))
    expect((await save(page)).items.map(({ name }: { name: string }) => name)).toEqual(['Alpha', 'Gamma', 'Beta'])
  })

  test('can be dragged to another position', async () => {
    const { page } = await editing(['Alpha', 'Beta', 'Gamma'])
    const middle = async (place: Locator) => {
      const { x, y, width, height } = (await place.boundingBox())!
      return [x + width / 2, y + height / 2] as const
    }
    const drag = async (from: number, to: number) => {
      await page.mouse.move(...(await middle(lineOf(page, from).locator('[data-drag]'))))
      await page.mouse.down()
      const [x, y] = await middle(lineOf(page, to))
      await page.mouse.move(x, y, { steps: 12 })
      await page.mouse.move(x, y + (to > from ? 12 : -12), { steps: 4 })
      await page.mouse.up()
    }
    await drag(1, 3)
    await expect.poll(() => namesOf(page)).toEqual(['Beta', 'Gamma', 'Alpha'])
    await page.getByRole('status').getByText('Now line 3 of 3').waitFor()
    await drag(2, 1)
    await expect.poll(() => namesOf(page)).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect((await save(page)).items.map(({ name }: { name: string }) => name)).toEqual(['Gamma', 'Beta', 'Alpha'])
  })

  test('shows its part of the discount on the total, and the patient sees both prices', async () => {
    const [one, other] = [
      await aNamed('Root planing', { unit_price: '100.00' }),
      await aNamed('Night guard', { unit_price: '200.00' })
    ]
    const fields = {
      items: [{ treatment_id: one.id }, { treatment_id: other.id }],
      global_discount: { type: 'amount', value: '30.00' }
    }
    const draft = await aDraft(instance, fields)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    const shares = (scope: Page | Locator) => scope.locator('[data-share]').allTextContents()
    await expect.poll(async () => (await shares(page)).map(digits)).toEqual(['10.00', '20.00'])
    expect((await shares(page))[0]!.trim()).toBe('−€10.00 from the discount on the total')
    await page.getByLabel('Discount on the total', { exact: true }).fill('')
    await expect.poll(() => shares(page)).toEqual([])

    await visitPage(page, `${instance.url}/budgets/${draft.id}`)
    expect(await shares(page)).toEqual([])
    await page.getByRole('switch', { name: 'Details per line' }).click()
    expect((await shares(page)).map(digits)).toEqual(['10.00', '20.00'])

    const patient = await openBudget(browser, await aSentBudget(instance, fields))
    const prices = patient.page.locator('tbody .line-price')
    expect(await prices.locator('s').allTextContents()).toEqual(['original price €100.00', 'original price €200.00'])
    expect(await prices.locator('.line-net').allTextContents()).toEqual(['€90.00', '€180.00'])
    expect(await patient.page.getByText('from the discount').count()).toBe(0)
  })

  test('has a note that the patient sees, and one that only the staff see', async () => {
    const { page, draft } = await editing(['Deep scaling'])
    await lineOf(page, 1).getByRole('button', { name: 'Notes', exact: true }).press('Enter')
    await lineOf(page, 1).getByLabel('Note for the patient').fill('Two visits, a week apart.')
    await lineOf(page, 1).getByLabel('Note for staff').fill('Book the long slot.')
    await save(page)
    await page.getByText('Two visits, a week apart.').waitFor()
    await page.getByText('Book the long slot.').waitFor()

    const { body } = await (await instance.as('admin')).post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual', code: '482913' })
    const token = body.data.url.split('/').at(-1)
    const patient = await openBudget(browser, {
      id: draft.id,
      number: draft.number,
      token,
      url: body.data.url,
      code: '482913',
      base: `/api/v1/public/budgets/${token}`
    })
    await patient.page.getByText('Two visits, a week apart.').waitFor()
    expect(await patient.page.getByText('long slot').count()).toBe(0)
    const scripts = patient.requests.filter(({ type }) => type === 'script')
    for (const { url } of scripts) expect(await (await fetch(url)).text()).not.toContain('sortable')
  })
})

describe('an editor with 60 lines', () => {
  const isSeen = (place: Locator) =>
    place.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      return there !== null && element.contains(there)
    })

  test.each([['on a desktop', undefined], ['on a phone', PHONE]] as const)(
    'keeps search and headings in view, numbers the lines, and scrolls with the keyboard: %s',
    async (_, viewport) => {
      // Two treatments with one name would be asked about.
      const name = viewport ? 'Recall visit' : 'Routine check'
      const { id } = await aNamed(name)
      const draft = await aDraft(instance, { items: Array.from({ length: 60 }, () => ({ treatment_id: id })) })
      const { page } = await aStaffVisit(browser, instance, viewport && { viewport })
      await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
      const last = lineOf(page, 60)
      await last.getByLabel('Quantity').focus()
      await expect.poll(() => isSeen(last.getByLabel('Quantity'))).toBe(true)
      expect(await isSeen(picker(page))).toBe(true)
      const head = page.locator('[data-sticky=head]')
      expect(await head.isVisible()).toBe(!viewport)
      if (!viewport) expect(await isSeen(head)).toBe(true)
      expect((await last.locator('[data-drag]').textContent())?.trim()).toBe('60')

      await page.keyboard.press('Enter')
      await hasFocus(picker(page))
      await page.keyboard.type(`${name.toLowerCase()} 16`)
      await page.keyboard.press('Shift+Enter')
      const added = lineOf(page, 61).getByLabel('Quantity')
      await hasFocus(added)
      await expect.poll(() => isSeen(added)).toBe(true)
      // None of the fields is hidden behind the fixed parts when Tab moves backwards.
      for (let n = 0; n < 24; n++) {
        await page.keyboard.press('Shift+Tab')
        expect(await isSeen(page.locator(':focus')), String(await focusedLabel(page))).toBe(true)
      }
      await page.keyboard.press('Alt+ArrowUp')
      await expectAccessible(page)
    }
  )
})
