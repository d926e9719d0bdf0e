import { describe, expect, test } from 'vitest'
import {
  BUDGET_ACTIONS,
  MAIN_ACTIONS,
  mainActions,
  reasonAgainst,
  type ActionFacts,
  type BudgetAction
} from '../../../layers/budget/app/utils/budget-actions.ts'
import { allows, STATUSES, type Action, type Status } from '../../../layers/budget/shared/domain/budget-state.ts'

type Link = ActionFacts['link']
interface BudgetState {
  erased?: boolean
  status?: Status
  link?: Partial<Link>
  signed_pdf?: ActionFacts['signed_pdf']['status']
  others?: Status[]
}

const link: Link = {
  state: 'active',
  url: 'https://clinic.test/p/budget/x',
  short_url: 'https://clinic.test/b/K7Q4-9XTM',
  has_code: true,
  failed_attempts: 0,
  locked: false,
  locked_until: null,
  channel: 'manual',
  delivery: 'none',
  delivered_via: null,
  delivered_at: null,
  delivery_error: null,
  delivery_error_code: null,
  delivery_reason: null
}
const version = (id: string, status: Status) => ({
  id,
  version: 1,
  status,
  total: '1.00',
  created_at: '',
  sent_at: null,
  decided_at: null,
  withdrawn_at: null
})

/** A version that has a link and a code, and is the only one with its number. */
const facts = ({
  erased = false,
  status = 'sent',
  link: change = {},
  signed_pdf = status === 'accepted' ? 'ready' : 'none',
  others = []
}: BudgetState): ActionFacts => ({
  id: 'this',
  withdrawn_at: null,
  erased_at: erased ? '2026-01-01T00:00:00.000Z' : null,
  status,
  link: { ...link, ...change },
  signed_pdf: { status: signed_pdf, sha256: null },
  versions: [version('this', status), ...others.map((other, index) => version(`other-${index}`, other))]
})

describe('the screen allows an action in the same states as the server:', () => {
  const SAME: [BudgetAction, Action][] = [
    ['edit', 'edit'],
    ['send', 'send'],
    ['resend', 'resend'],
    ['new_link', 'resend'],
    ['revise', 'revise'],
    ['accept', 'accept'],
    ['reject', 'reject'],
    ['cancel', 'cancel'],
    ['delete', 'delete']
  ]
  test.each(SAME)('%s', (action, onServer) => {
    for (const status of STATUSES)
      expect([status, reasonAgainst(action, facts({ status })) === null]).toEqual([status, allows(status, onServer)])
  })
})

describe('an action that depends on more than the state is allowed or refused correctly:', () => {
  test.each<[string, BudgetAction, BudgetState, string | null]>([
    [
      'a draft can have a code before it is sent',
      'set_code',
      { status: 'draft', link: { state: 'none', url: null } },
      null
    ],
    [
      'a cancelled draft never had a link, so no code can be set',
      'set_code',
      { status: 'cancelled', link: { state: 'none', url: null } },
      'no_link'
    ],
    [
      'a cancelled draft cannot be resent',
      'resend',
      { status: 'cancelled', link: { state: 'none', url: null } },
      'no_link'
    ],
    ['a link without a code cannot be resent', 'resend', { link: { has_code: false } }, 'no_code'],
    ['a new link keeps the code, so there must be a code', 'new_link', { link: { has_code: false } }, 'no_code'],
    [
      'a version cannot be revised when another one was accepted',
      'revise',
      { status: 'rejected', others: ['accepted'] },
      'other_accepted'
    ],
    [
      'a draft beside an accepted version cannot be sent',
      'send',
      { status: 'draft', others: ['accepted'] },
      'other_accepted'
    ],
    ['a version cannot be revised when its number has an open draft', 'revise', { others: ['draft'] }, 'other_draft'],
    ['a link that is not locked cannot be unlocked', 'unlock', {}, 'not_locked'],
    ['a lock can be cleared', 'unlock', { link: { locked: true, failed_attempts: 5 } }, null],
    ['failed attempts before the lock can be cleared', 'unlock', { link: { failed_attempts: 2 } }, null],
    ['the signed copy is unavailable before acceptance', 'signed_pdf', {}, 'not_signed'],
    [
      'the signed copy is unavailable until it was made',
      'signed_pdf',
      { status: 'accepted', signed_pdf: 'pending' },
      'pdf_pending'
    ],
    ['the signed copy is available once it was made', 'signed_pdf', { status: 'accepted' }, null]
  ])('%s', (_, action, given, reason) => expect(reasonAgainst(action, facts(given))).toBe(reason))

  test('viewing and copying are always possible', () => {
    for (const status of STATUSES)
      for (const action of ['preview', 'pdf', 'duplicate'] as const)
        expect(reasonAgainst(action, facts({ status }))).toBeNull()
  })
})

test('a budget of a patient whose data was erased can only be viewed', () => {
  const left = BUDGET_ACTIONS.filter(
    action => reasonAgainst(action, facts({ status: 'accepted', erased: true })) === null
  )
  expect(left).toEqual(['preview', 'pdf', 'signed_pdf'])
  expect(reasonAgainst('duplicate', facts({ status: 'accepted', erased: true }))).toBe('erased')
})

test('the first action on the screen is never forbidden by the state alone', () => {
  for (const status of STATUSES)
    for (const action of MAIN_ACTIONS[status])
      expect([status, action, reasonAgainst(action, facts({ status }))]).toEqual([status, action, null])
  expect(new Set(BUDGET_ACTIONS).size).toBe(BUDGET_ACTIONS.length)
})

type Budget = Parameters<typeof mainActions>[0]
const next = (fields: { status: Budget['status'], open_questions?: number, channel?: 'email' | 'manual', url?: string | null }) => {
  const { status, open_questions = 0, channel = 'email', url = 'https://clinic.test/p/budget/x' } = fields
  return mainActions({ status, open_questions, link: { channel, url } as Budget['link'] }).at(-1)
}

test.each([
  ['a draft is sent', { status: 'draft' }, 'send'],
  ['a link that was mailed is resent', { status: 'sent' }, 'resend'],
  ['a link that was handed over is copied', { status: 'sent', channel: 'manual' }, 'copy_link'],
  ['a link that cannot be shown is resent', { status: 'sent', channel: 'manual', url: null }, 'resend'],
  ['an open question is answered', { status: 'sent', open_questions: 1 }, 'answer'],
  ['a question about an accepted budget is answered too', { status: 'accepted', open_questions: 2 }, 'answer'],
  ['a budget that was declined is revised', { status: 'rejected' }, 'revise']
] as const)('what comes next: %s', (_, budget, action) => expect(next(budget)).toBe(action))
