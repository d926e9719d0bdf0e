import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiError, useAttention, type AttentionKind } from '#imports'
import { StaffAttention } from '#components'
import { forgetSession, signIn } from './support/api.ts'
import { draw, one, said } from './support/screen.ts'

const aKind = (fields: Partial<AttentionKind> = {}): AttentionKind => ({
  label: 'Paid twice',
  icon: 'i-lucide-copy',
  total: 7,
  to: '/payments?attention=paid_twice',
  entries: [{ id: '1', to: '/payments/1', label: 'Sol, Ana', value: '€50.00', hint: 'PAY-1', note: 'today' }],
  ...fields
})

/** What the two modules below find. */
let found: Record<string, () => AttentionKind[]>
beforeAll(() => {
  const { add } = useAttention()
  for (const [order, id] of ['first', 'second'].entries())
    add({ id, permission: `${id}.read`, order, useFind: () => async () => found[id]!() })
})
beforeEach(async () => {
  forgetSession()
  found = { first: () => [], second: () => [] }
  await signIn({ permissions: ['first.read', 'second.read'] })
})
const headings = () => [...document.querySelectorAll('h3')].map(heading => said(heading))

test('the records of all modules that need attention are listed with their number, in the order of the modules', async () => {
  found.first = () => [aKind(), aKind({ label: 'Wrong amount', total: 0, entries: [] })]
  found.second = () => [aKind({ label: 'Overdue', total: 1, entries: [] })]
  await draw(StaffAttention)
  await expect.poll(headings).toEqual(['Paid twiceShow all 77', 'OverdueShow all 11'])
  expect(one('h3 a').getAttribute('href')).toBe('/payments?attention=paid_twice')
  expect(said()).toContain('Sol, Ana€50.00PAY-1today')
})

test('people who may not read the records of a module see only those of the others', async () => {
  await signIn({ permissions: ['second.read'] })
  found.first = () => [aKind()]
  await draw(StaffAttention)
  await expect.poll(() => said()).toContain('Nothing needs your attention.')
})

test('without a permission for any module the section is absent', async () => {
  await signIn({ permissions: [] })
  await draw(StaffAttention)
  expect(one('section')).toBeNull()
})

test('if one module fails, the records of the others are shown beside the error', async () => {
  found.first = () => {
    throw new ApiError({ type: 'about:blank', title: '', status: 503, code: 'module_errored', detail: '', request_id: 'req-7' })
  }
  await draw(StaffAttention)
  await expect.poll(() => one('[role="alert"]')).not.toBeNull()
  expect(said()).not.toContain('Nothing needs your attention.')
  found.second = () => [aKind()]
  await draw(StaffAttention)
  await expect.poll(headings).toHaveLength(1)
})
