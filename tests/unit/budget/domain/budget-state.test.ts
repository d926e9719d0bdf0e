import { describe, expect, it } from 'vitest'
import { isProblem } from '@svc/kit'
import {
  allows,
  assertAllowed,
  nextStatus,
  STATUSES,
  statusAt,
  type Action,
  type Status
} from '../../../../layers/budget/shared/domain/budget-state.ts'

/** Every cell of the specification's table. Any cell that is missing here is forbidden. */
const ALLOWED: Record<Action, Partial<Record<Status, Status>>> = {
  send: { draft: 'sent' },
  accept: { sent: 'accepted' },
  reject: { sent: 'rejected' },
  expire: { sent: 'expired' },
  cancel: { draft: 'cancelled', sent: 'cancelled' },
  supersede: { sent: 'superseded', rejected: 'superseded', expired: 'superseded', cancelled: 'superseded' },
  edit: { draft: 'draft' },
  delete: { draft: 'draft' },
  revise: { sent: 'sent', rejected: 'rejected', expired: 'expired', cancelled: 'cancelled' },
  resend: {
    sent: 'sent',
    accepted: 'accepted',
    rejected: 'rejected',
    expired: 'expired',
    cancelled: 'cancelled',
    superseded: 'superseded'
  }
}

describe('the state table allows exactly what the specification allows', () => {
  const cells = Object.keys(ALLOWED).flatMap(action => STATUSES.map(status => ({ action: action as Action, status })))

  it.each(cells)('for $action in $status', ({ action, status }) => {
    expect(nextStatus(status, action)).toBe(ALLOWED[action][status] ?? null)
  })

  it('for an accepted budget, whose state cannot change', () => {
    const moves: Action[] = ['send', 'accept', 'reject', 'expire', 'cancel', 'supersede', 'edit', 'delete', 'revise']
    expect(moves.filter(action => allows('accepted', action))).toEqual([])
  })

  it('and otherwise answers wrong_state with the next step in the detail', () => {
    try {
      assertAllowed('accepted', 'revise')
      expect.unreachable()
    } catch (error) {
      expect(isProblem(error) && error.code).toBe('wrong_state')
      expect(isProblem(error) && error.fields.detail).toContain('Duplicate it')
    }
  })
})

describe('the effective state of a version', () => {
  const end = new Date('2026-03-29T22:00:00Z')

  it('is expired from the end of its validity on, whatever state is stored', () => {
    expect(statusAt({ status: 'sent', expires_at: end }, new Date(end.getTime() - 1))).toBe('sent')
    expect(statusAt({ status: 'sent', expires_at: end }, end)).toBe('expired')
  })

  it('is never expired once the budget is decided', () => {
    expect(statusAt({ status: 'accepted', expires_at: end }, new Date('2030-01-01T00:00:00Z'))).toBe('accepted')
  })
})
