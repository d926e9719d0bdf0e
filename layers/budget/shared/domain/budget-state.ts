import { problem } from '@svc/kit'

export const STATUSES = ['draft', 'sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded'] as const
export type Status = typeof STATUSES[number]
/** What moves a version from one state to another. */
export type Transition = 'send' | 'accept' | 'reject' | 'expire' | 'cancel' | 'supersede'
/** What a state allows without leaving it. */
export type Deed = 'edit' | 'delete' | 'revise' | 'resend'
export type Action = Transition | Deed

/** The whole life of a version; what is not here cannot happen (the database's trigger holds the same table). */
const TRANSITIONS: Record<Transition, Partial<Record<Status, Status>>> = {
  send: { draft: 'sent' },
  accept: { sent: 'accepted' },
  reject: { sent: 'rejected' },
  expire: { sent: 'expired' },
  cancel: { draft: 'cancelled', sent: 'cancelled' },
  supersede: { sent: 'superseded', rejected: 'superseded', expired: 'superseded', cancelled: 'superseded' }
}

const DEEDS: Record<Deed, readonly Status[]> = {
  edit: ['draft'],
  delete: ['draft'],
  revise: ['sent', 'rejected', 'expired', 'cancelled'],
  resend: ['sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded']
}

/** Why not, and what to do instead. */
const WAY_OUT: Record<Status, string> = {
  draft: 'This budget is still a draft: change it, send it or delete it.',
  sent: 'This budget was sent. Revise it to make a new version, or cancel it.',
  accepted: 'This budget was accepted, which is final. Duplicate it to make a new budget.',
  rejected: 'This budget was declined. Revise it to make a new version, or duplicate it.',
  expired: 'This budget has expired. Revise it to make a new version, or duplicate it.',
  cancelled: 'This budget was cancelled. Revise it to make a new version, or duplicate it.',
  superseded: 'A newer version replaced this budget. Open the newest version, or duplicate this one.'
}

const isTransition = (action: Action): action is Transition => action in TRANSITIONS

/** The state after the action (its own for what leaves it alone), or null when the state forbids it. */
export function nextStatus(status: Status, action: Action): Status | null {
  if (isTransition(action)) return TRANSITIONS[action][status] ?? null
  return DEEDS[action].includes(status) ? status : null
}

export const allows = (status: Status, action: Action): boolean => nextStatus(status, action) !== null

/** As `nextStatus`; throws the problem `wrong_state` with the way out. */
export function mustAllow(status: Status, action: Action): Status {
  const next = nextStatus(status, action)
  if (next === null) throw problem('wrong_state', { detail: WAY_OUT[status] })
  return next
}

/** The clock decides, also when no job has run: a sent version past its end is expired whatever the row says. */
export function statusAt(budget: { status: Status, expires_at: Date | null }, now: Date): Status {
  const over = budget.status === 'sent' && budget.expires_at !== null && budget.expires_at.getTime() <= now.getTime()
  return over ? 'expired' : budget.status
}
