import { problem } from '@svc/kit'

/** `credited`: credit notes have taken off the whole total. */
export const INVOICE_STATUSES = ['draft', 'issued', 'paid', 'credited', 'cancelled'] as const
export type InvoiceStatus = typeof INVOICE_STATUSES[number]

export const DOCUMENT_KINDS = ['invoice', 'credit_note'] as const
export type DocumentKind = typeof DOCUMENT_KINDS[number]

export const PAYMENT_METHODS = ['cash', 'card', 'transfer', 'other'] as const
export type PaymentMethod = typeof PAYMENT_METHODS[number]

export type InvoiceAction = 'split' | 'issue' | 'pay' | 'reverse' | 'credit' | 'cancel'

/** The statuses that allow each action. The database's trigger has the same table. */
const ALLOWED: Record<InvoiceAction, readonly InvoiceStatus[]> = {
  split: ['draft'],
  issue: ['draft'],
  pay: ['issued'],
  reverse: ['issued', 'paid'],
  credit: ['issued', 'paid'],
  cancel: ['draft', 'issued']
}

/** By action and status: why the action isn't allowed, and what to do instead. */
const REFUSALS: Record<InvoiceAction, Partial<Record<InvoiceStatus, string>>> = {
  split: {
    issued: 'This invoice was issued, which is final. Split a draft instead.',
    paid: 'This invoice was issued, which is final. Split a draft instead.',
    credited: 'This invoice was issued, which is final. Split a draft instead.',
    cancelled: 'This invoice was cancelled, so there is nothing to split.'
  },
  issue: {
    issued: 'This invoice was issued already. Record its payments, or cancel it.',
    paid: 'This invoice was issued and paid already. There is nothing left to do.',
    credited: 'This invoice was issued and credited already. There is nothing left to do.',
    cancelled: 'This invoice was cancelled, which is final. Duplicate its budget to start over.'
  },
  pay: {
    draft: 'This invoice is still a draft. Issue it first, then record the payment.',
    paid: 'This invoice is paid in full. Look whether the payment belongs to another invoice.',
    credited: 'Credit notes have taken off the whole invoice, so nothing is due on it.',
    cancelled: 'This invoice was cancelled. Look whether the payment belongs to another invoice.'
  },
  reverse: {
    draft: 'This invoice is still a draft and has no payments.',
    credited: 'Credit notes have taken off the whole invoice, so it has no payments.',
    cancelled: 'This invoice was cancelled and has no payments.'
  },
  credit: {
    draft: 'This invoice is still a draft. Cancel it instead.',
    credited: 'Credit notes have taken off the whole invoice already.',
    cancelled: 'This invoice was cancelled, so there is nothing to credit.'
  },
  cancel: {
    paid: 'This invoice is paid, so it cannot be cancelled. Credit it, or reverse its payments first.',
    credited: 'Credit notes have taken off the whole invoice already.',
    cancelled: 'This invoice was cancelled already.'
  }
}

const HAS_PAYMENTS
  = 'This invoice has payments, so it cannot be cancelled. Credit it, or reverse its payments first.'
const CREDIT_NOTE_ISSUED = 'This credit note was issued, which is final.'
const CREDIT_NOTE_TAKES_NONE = 'This is a credit note, which takes no payments and cannot be credited or split.'

export const allows = (status: InvoiceStatus, action: InvoiceAction): boolean => ALLOWED[action].includes(status)

interface Money { total: bigint, credited: bigint }

/** Minor units. Never below zero: what was paid beyond it becomes an advance. */
export const dueOf = ({ total, credited }: Money, paid: bigint): bigint => total - credited - paid

/**
 * Throws the problem `wrong_state`, which says what to do instead. `paid` is the amount paid so far, in minor units.
 */
export function assertAllowed(
  { kind, status, paid }: { kind: DocumentKind, status: InvoiceStatus, paid: bigint },
  action: InvoiceAction
): void {
  if (kind === 'credit_note' && action !== 'issue' && action !== 'cancel')
    throw problem('wrong_state', { detail: CREDIT_NOTE_TAKES_NONE })
  if (kind === 'credit_note' && status === 'issued') throw problem('wrong_state', { detail: CREDIT_NOTE_ISSUED })
  if (!allows(status, action)) throw problem('wrong_state', { detail: REFUSALS[action][status] })
  if (action === 'cancel' && paid > 0n) throw problem('wrong_state', { detail: HAS_PAYMENTS })
}

/** The status of an issued invoice: paid once nothing is due, so at once if its total is 0. */
export function settled({ total, credited }: Money, paid: bigint): 'issued' | 'paid' | 'credited' {
  if (total > 0n && credited === total) return 'credited'
  return dueOf({ total, credited }, paid) === 0n ? 'paid' : 'issued'
}
