import { expect, test } from 'vitest'
import { useBudgetPage, useDecision, useSelection } from '#imports'
import { BudgetNotice } from '#components'
import { answers } from './support/api.ts'
import { draw, said, using } from './support/screen.ts'

const view: any = {
  number: 'PRES-2026-0001',
  version: 1,
  status: 'sent',
  clinic: { name: 'Sol', phone: null, email: null, address: null, logo_url: null },
  patient: { first_name: 'Ana', last_name: 'Sol' },
  professional: null,
  currency: 'EUR',
  locale: 'en',
  time_zone: 'UTC',
  valid_until: null,
  expires_at: null,
  items: [],
  totals: { original: '100.00', discount: '0.00', total: '100.00', tax: '0.00' },
  patient_notes: null,
  viewed_at: null,
  decision: null,
  signed_pdf: { status: 'none', sha256: null },
  content_digest: null
}

let token = 0
/** The patient's page, ready to accept. The acceptance gets this response. */
async function aPage(problem: { status: number, code: string, detail?: string, members?: Record<string, unknown> }) {
  const base = `/api/v1/public/budgets/refused-${token += 1}`
  const asked = answers('GET', base, { data: view })
  answers('POST', `${base}/accept`, problem)
  answers('POST', `${base}/reject`, problem)
  const first: any = { link: 'known', meta: { locked: false }, accent: null, outcome: null, now: Date.now() }
  const used = await using(() => {
    const page = useBudgetPage(`refused-${token}`, first)
    return { page, decision: useDecision(page, useSelection(page, `refused-${token}`)) }
  })
  await used.page.askView()
  await used.decision.begin('accepting')
  Object.assign(used.decision.draft, { consent: true, signer_name: 'Ana Sol', reason: 'Too dear.' })
  return { ...used, asked }
}

test.each([
  402, 409, 422, 429, 503
])('a refusal of a module with status %d is shown in the module\'s own words', async (status) => {
  const detail = 'Please pay the deposit of 50.00 first.'
  const { page, decision, asked } = await aPage({ status, code: 'deposit_missing', detail, members: { module: 'deposits' } })
  await decision.accept()
  expect(page.notice.value).toEqual({ tone: 'warning', text: detail })
  expect([page.step.value, page.view.value?.status, decision.draft.signer_name]).toEqual(['accepting', 'sent', 'Ana Sol'])
  expect(asked).toHaveLength(2) // the budget is loaded again: one of its sections can say how to pay
  await decision.reject()
  expect(page.notice.value?.text).toBe(detail)
})

test('a failed check of a module is shown with the page\'s own text', async () => {
  const { page, decision } = await aPage({
    status: 503, code: 'module_errored', detail: 'This part of the service is not running.', members: { module: 'deposits' }
  })
  await decision.accept()
  expect(page.notice.value?.text).toMatch(/^Your decision was not recorded\./)
})

test('a text is displayed in its own direction', async () => {
  await draw(BudgetNotice, { props: { notice: { tone: 'warning', text: 'ادفع أولًا' }, busy: false } })
  expect(said(document.querySelector('[role="group"] p[dir="auto"]')!)).toBe('ادفع أولًا')
})
