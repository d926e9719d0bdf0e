import { flushPromises } from '@vue/test-utils'
import { beforeEach, expect, test } from 'vitest'
import { nextTick, ref } from 'vue'
import { BudgetChoices, DetailAccept } from '#components'
import { useAnswers, useBudgetPage, useCodeEntry, useDecision, useRouter, useSelection } from '#imports'
import { answers, later } from './support/api.ts'
import { draw, press, said, using } from './support/screen.ts'

const [A, A1, A2, B, B1, B2] = [1, 2, 3, 4, 5, 6].map(n => `0197c6a0-0000-7000-8000-00000000000${n}`) as Ids
type Ids = [A: string, A1: string, A2: string, B: string, B1: string, B2: string]
const item = (name: string, price: string) => ({
  name,
  description: null,
  tooth: null,
  surfaces: null,
  quantity: 1,
  original_price: price,
  price,
  discounted: false
})
const option = (id: string, title: string, ...items: ReturnType<typeof item>[]) =>
  ({ id, title, description: null, recommended: false, price: '0.00', items })
const clinic = { name: 'Sol', phone: null, email: null, address: null, logo_url: null }
/** Choice A: A1 for 200.00 with one line, or A2 for 300.00 with two lines. Choice B: B1 or B2 for 50.00, or neither. */
const view: any = {
  number: 'PRES-2026-0001',
  version: 1,
  status: 'sent',
  clinic,
  patient: { first_name: 'Ana', last_name: 'Sol' },
  professional: null,
  currency: 'EUR',
  locale: 'en',
  time_zone: 'UTC',
  valid_until: null,
  expires_at: null,
  items: [],
  choices: [
    {
      id: A,
      title: 'The gap',
      rule: 'exactly_one',
      options: [
        option(A1, 'One', item('Bridge', '200.00')),
        option(A2, 'Two', item('Implant', '250.00'), item('Crown', '50.00'))
      ]
    },
    {
      id: B,
      title: 'Extras',
      rule: 'at_most_one',
      options: [option(B1, 'Three', item('White', '50.00')), option(B2, 'Four', item('Guard', '50.00'))]
    }
  ],
  price_from: '200.00',
  price_to: '350.00',
  selection: null,
  totals: { original: '200.00', discount: '0.00', total: '200.00', tax: '0.00' },
  patient_notes: null,
  viewed_at: null,
  decision: null,
  signed_pdf: { status: 'none', sha256: null },
  content_digest: null
}
type Answers = Record<string, string | null>
function priceOf(selection: Answers): any {
  const items = view.choices.flatMap(({ id, options }: any) =>
    options.filter((one: any) => one.id === selection[id]).flatMap((one: any) => one.items))
  const total = items.reduce((sum: number, one: any) => sum + Number(one.price), 0).toFixed(2)
  const complete = selection[A] != null
  const content_digest = complete ? (selection[A] === A1 ? '1' : '2').repeat(64) : null
  return {
    complete,
    items,
    total,
    original_total: total,
    discount_total: '0.00',
    tax_total: '0.00',
    content_digest,
    with: Object.fromEntries([A1, A2, B1, B2].map(id => [id, total]))
  }
}

let token = 0
beforeEach(() => sessionStorage.clear())

/** The patient's page of one link. */
async function aPage(id = `token-${token += 1}`) {
  const base = `/api/v1/public/budgets/${id}`
  let isOpen = true
  const none = { status: 401, code: 'code_required' }
  answers('GET', base, () => isOpen ? { data: structuredClone(view) } : none)
  answers('GET', `${base}/meta`, { data: { state: 'open', locked: false } })
  answers('POST', `${base}/verify`, () => (isOpen = true, { data: {} }))
  answers('POST', `${base}/price`, ({ body }) => isOpen ? { data: priceOf(body.selection) } : none)
  const first: any = { link: 'known', meta: { locked: false }, accent: null, outcome: null, now: Date.now() }
  const used = await using(() => {
    const page = useBudgetPage(id, first)
    const selection = useSelection(page, id)
    const decision = useDecision(page, selection)
    return { page, selection, decision, router: useRouter(), entry: useCodeEntry(page, null) }
  })
  return { ...used, endSession: () => { isOpen = false } }
}
const linesOf = (shown: any) => shown.choices[0].options.map((one: any) => one.items.map((line: any) => line.name))

test('a selection shows the offered lines and no total until its price arrives', async () => {
  const { promise, resolve } = later()
  let wait = Promise.resolve()
  const chosen = await using(() => useAnswers({
    offer: () => view,
    price: async (selection) => {
      await wait
      return priceOf(selection)
    }
  }))
  await chosen.choose(A, A1)
  expect(chosen.priced.value).toMatchObject({ totals: { total: '200.00' }, selection: { [A]: A1 } })
  wait = promise
  const choosing = chosen.choose(A, A2)
  expect(chosen.prices.value).toBeNull()
  expect(chosen.priced.value).toMatchObject({ selection: null, content_digest: null })
  expect(linesOf(chosen.priced.value)).toEqual([['Bridge'], ['Implant', 'Crown']])
  resolve()
  await choosing
  expect(chosen.priced.value).toMatchObject({ totals: { total: '300.00' }, selection: { [A]: A2 } })
})

test('the price remains visible while the same selection is priced again on a page that was left open', async () => {
  const { promise, resolve } = later()
  let wait = Promise.resolve()
  const offer = ref(structuredClone(view))
  const chosen = await using(() => useAnswers({
    offer: () => offer.value,
    price: async (selection) => {
      await wait
      return priceOf(selection)
    }
  }))
  await chosen.choose(A, A2)
  wait = promise
  offer.value = structuredClone(view)
  await nextTick()
  expect(chosen.priced.value).toMatchObject({ totals: { total: '300.00' }, selection: { [A]: A2 } })
  resolve()
})

test('the consent applies to one price: another selection clears the checkbox', async () => {
  const { page, selection, decision } = await aPage()
  await page.askView()
  await selection.choose(A, A1)
  await decision.begin('accepting')
  Object.assign(decision.draft, { consent: true, signer_name: 'Ana Sol' })
  decision.back()
  await page.askView()
  expect(decision.draft).toMatchObject({ consent: true })
  await selection.choose(A, A2)
  expect(decision.draft).toMatchObject({ consent: false, signer_name: 'Ana Sol' })
})

test('a consent in the clinic that was given before the price arrived accepts nothing', async () => {
  const { promise, resolve } = later()
  const path = '/api/v1/budget/budgets/7'
  answers('GET', `${path}/preview`, { data: structuredClone(view) })
  answers('POST', `${path}/price`, async ({ body }) => {
    if (body.selection[A] === A2) await promise
    return { data: priceOf(body.selection) }
  })
  const accepted: unknown[] = []
  const budget = { ...view, id: '7' }
  await draw(DetailAccept, {
    props: { budget, saving: false, error: null, open: true, onAccept: (request: unknown) => accepted.push(request) }
  })
  const option = (id: string) => document.querySelector<HTMLInputElement>(`#option-${id}`)
  const consent = () => document.querySelector<HTMLInputElement>('input[name="consent"]')!
  await expect.poll(() => option(A1)).not.toBeNull()
  option(A1)!.click()
  await expect.poll(() => said()).toContain('accept it for €200.00')
  option(A2)!.click()
  await flushPromises()
  consent().click()
  await press('Confirm and accept')
  resolve()
  await expect.poll(() => said()).toContain('accept it for €300.00')
  await flushPromises()
  expect([accepted, consent().checked]).toEqual([[], false])
  consent().click()
  await press('Confirm and accept')
  await expect.poll(() => accepted).toMatchObject([{ selection: { [A]: A2, [B]: null } }])
})

test('the browser\'s Forward button does not lead to the signature when the selection is incomplete', async () => {
  const { page, selection, decision, router } = await aPage()
  await page.askView()
  await selection.choose(A, A1)
  await decision.begin('accepting')
  await expect.poll(() => router.currentRoute.value.query.step).toBe('sign')
  router.back()
  await expect.poll(() => page.step.value).toBe('reading')
  await selection.choose(A, null)
  const moves: unknown[] = []
  const stop = router.afterEach(to => void moves.push(to.query.step))
  router.forward()
  await expect.poll(() => moves).toEqual(['sign', undefined])
  stop()
  expect(page.step.value).toBe('reading')
})

test('the selection is discarded when the session ended before the page was loaded again', async () => {
  const one = await aPage('reloaded')
  await one.page.askView()
  await one.selection.choose(A, A2)
  const other = await aPage('reloaded')
  await other.page.askView()
  await flushPromises()
  expect(other.selection.answers.value).toMatchObject({ [A]: A2 }) // a reload within the session

  const late = await aPage('reloaded')
  late.endSession()
  await late.entry.resume()
  await late.entry.open('482913')
  expect(late.page.view.value).not.toBeNull()
  expect(late.selection.answers.value).toEqual({ [A]: null, [B]: null })
})

test('the focus stays in the group when an answer is cleared', async () => {
  const chosen = { [A]: null, [B]: B1 }
  const { change } = await draw(BudgetChoices, { props: { view, answers: chosen, prices: priceOf(chosen) } })
  document.querySelector<HTMLElement>('.choices .button')!.focus()
  await press(document.querySelector('.choices .button')!.textContent!.trim())
  await change({ answers: { [A]: null, [B]: null } })
  await flushPromises()
  expect(document.activeElement?.id).toBe(`option-${B1}`)
})
