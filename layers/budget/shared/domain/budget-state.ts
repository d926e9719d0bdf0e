import { problem } from '@svc/kit'

export const STATUSES = ['draft', 'sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded'] as const
export type Status = typeof STATUSES[number]
/** Actions that move a version from one state to another. */
export type Transition = 'send' | 'accept' | 'reject' | 'expire' | 'cancel' | 'supersede'
/** Actions that a state allows without changing it. */
export type OtherAction = 'edit' | 'delete' | 'revise' | 'resend'
export type Action = Transition | OtherAction

/** All transitions of a version; any other is impossible (the database's trigger has the same table). */
const TRANSITIONS: Record<Transition, Partial<Record<Status, Status>>> = {
  send: { draft: 'sent' },
  accept: { sent: 'accepted' },
  reject: { sent: 'rejected' },
  expire: { sent: 'expired' },
  cancel: { draft: 'cancelled', sent: 'cancelled' },
  supersede: { sent: 'superseded', rejected: 'superseded', expired: 'superseded', cancelled: 'superseded' }
}

const ALLOWED: Record<OtherAction, readonly Status[]> = {
  edit: ['draft'],
  delete: ['draft'],
  revise: ['sent', 'rejected', 'expired', 'cancelled'],
  resend: ['sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded']
}

/** Why the action is not allowed, and what to do instead. */
const REFUSALS: Record<Status, string> = {
  draft: 'This budget is still a draft: change it, send it or delete it.',
  sent: 'This budget was sent. Revise it to make a new version, or cancel it.',
  accepted: 'This budget was accepted, which is final. Duplicate it to make a new budget.',
  rejected: 'This budget was declined. Revise it to make a new version, or duplicate it.',
  expired: 'This budget has expired. Revise it to make a new version, or duplicate it.',
  cancelled: 'This budget was cancelled. Revise it to make a new version, or duplicate it.',
  superseded: 'A newer version replaced this budget. Open the newest version, or duplicate this one.'
}

const isTransition = (action: Action): action is Transition => action in TRANSITIONS

/** The state after the action (the same one if the action does not change it), or null if the state forbids it. */
export function nextStatus(status: Status, action: Action): Status | null {
  if (isTransition(action)) return TRANSITIONS[action][status] ?? null
  return ALLOWED[action].includes(status) ? status : null
}

export const allows = (status: Status, action: Action): boolean => nextStatus(status, action) !== null

/** Like `nextStatus`, but throws the problem `wrong_state` with what to do instead. */
export function assertAllowed(status: Status, action: Action): Status {
  const next = nextStatus(status, action)
  if (next === null) throw problem('wrong_state', { detail: REFUSALS[status] })
  return next
}

/** The status by the clock, even if no job has run: a sent version past its end is expired, whatever its row says. */
export function statusAt(budget: { status: Status, expires_at: Date | null }, now: Date): Status {
  const over = budget.status === 'sent' && budget.expires_at !== null && budget.expires_at.getTime() <= now.getTime()
  return over ? 'expired' : budget.status
}
