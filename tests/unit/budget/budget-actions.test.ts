import { describe, expect, test } from 'vitest'
import {
  BUDGET_ACTIONS,
  MAIN_ACTIONS,
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

/** A version with a link and a code, alone under its number. */
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

describe('the states allow on the screen what they allow on the server', () => {
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

describe('actions that depend on more than the state', () => {
  test.each<[string, BudgetAction, BudgetState, string | null]>([
    [
      'a draft may have a code before it is sent',
      'set_code',
      { status: 'draft', link: { state: 'none', url: null } },
      null
    ],
    [
      'a draft that was cancelled never had a link',
      'set_code',
      { status: 'cancelled', link: { state: 'none', url: null } },
      'no_link'
    ],
    ['nor can it be sent again', 'resend', { status: 'cancelled', link: { state: 'none', url: null } }, 'no_link'],
    ['a link without a code opens nothing', 'resend', { link: { has_code: false } }, 'no_code'],
    ['a new link keeps the code, so there must be one', 'new_link', { link: { has_code: false } }, 'no_code'],
    ['an accepted version ends its number', 'revise', { status: 'rejected', others: ['accepted'] }, 'other_accepted'],
    [
      'a draft beside an accepted version cannot be sent',
      'send',
      { status: 'draft', others: ['accepted'] },
      'other_accepted'
    ],
    ['one open draft per number', 'revise', { others: ['draft'] }, 'other_draft'],
    ['nothing is locked', 'unlock', {}, 'not_locked'],
    ['a lock can be cleared', 'unlock', { link: { locked: true, failed_attempts: 5 } }, null],
    ['so can failed attempts before the lock', 'unlock', { link: { failed_attempts: 2 } }, null],
    ['a signed copy only after acceptance', 'signed_pdf', {}, 'not_signed'],
    ['and not before it was made', 'signed_pdf', { status: 'accepted', signed_pdf: 'pending' }, 'pdf_pending'],
    ['then for good', 'signed_pdf', { status: 'accepted' }, null]
  ])('%s', (_, action, given, reason) => expect(reasonAgainst(action, facts(given))).toBe(reason))

  test('looking at it and copying it are always possible', () => {
    for (const status of STATUSES)
      for (const action of ['preview', 'pdf', 'duplicate'] as const)
        expect(reasonAgainst(action, facts({ status }))).toBeNull()
  })
})

test('what is left of an erased patient is only looked at', () => {
  const left = BUDGET_ACTIONS.filter(
    action => reasonAgainst(action, facts({ status: 'accepted', erased: true })) === null
  )
  expect(left).toEqual(['preview', 'pdf', 'signed_pdf'])
  expect(reasonAgainst('duplicate', facts({ status: 'accepted', erased: true }))).toBe('erased')
})

test('what is offered first is never forbidden by the state alone', () => {
  for (const status of STATUSES)
    for (const action of MAIN_ACTIONS[status])
      expect([status, action, reasonAgainst(action, facts({ status }))]).toEqual([status, action, null])
  expect(new Set(BUDGET_ACTIONS).size).toBe(BUDGET_ACTIONS.length)
})
