import { problem } from '@svc/kit'

export const INVOICE_STATUSES = ['draft', 'issued', 'paid', 'cancelled'] as const
export type InvoiceStatus = typeof INVOICE_STATUSES[number]

export const PAYMENT_METHODS = ['cash', 'card', 'transfer', 'other'] as const
export type PaymentMethod = typeof PAYMENT_METHODS[number]

export type InvoiceAction = 'issue' | 'pay' | 'reverse' | 'cancel'

/** The statuses that allow each action. The database's trigger has the same table. */
const ALLOWED: Record<InvoiceAction, readonly InvoiceStatus[]> = {
  issue: ['draft'],
  pay: ['issued'],
  reverse: ['issued', 'paid'],
  cancel: ['draft', 'issued']
}

/** By action and status: why the action isn't allowed, and what to do instead. */
const REFUSALS: Record<InvoiceAction, Partial<Record<InvoiceStatus, string>>> = {
  issue: {
    issued: 'This invoice was issued already. Record its payments, or cancel it.',
    paid: 'This invoice was issued and paid already. There is nothing left to do.',
    cancelled: 'This invoice was cancelled, which is final. Duplicate its budget to start over.'
  },
  pay: {
    draft: 'This invoice is still a draft. Issue it first, then record the payment.',
    paid: 'This invoice is paid in full. Look whether the payment belongs to another invoice.',
    cancelled: 'This invoice was cancelled. Look whether the payment belongs to another invoice.'
  },
  reverse: {
    draft: 'This invoice is still a draft and has no payments.',
    cancelled: 'This invoice was cancelled and has no payments.'
  },
  cancel: {
    paid: 'This invoice is paid, so it cannot be cancelled. Reverse its payments first.',
    cancelled: 'This invoice was cancelled already.'
  }
}

const HAS_PAYMENTS
  = 'This invoice has payments, so it cannot be cancelled. Reverse its payments first.'

export const allows = (status: InvoiceStatus, action: InvoiceAction): boolean => ALLOWED[action].includes(status)

/**
 * Throws the problem `wrong_state`, which says what to do instead. `paid` is the amount paid so far, in minor units.
 */
export function assertAllowed({ status, paid }: { status: InvoiceStatus, paid: bigint }, action: InvoiceAction): void {
  if (!allows(status, action)) throw problem('wrong_state', { detail: REFUSALS[action][status] })
  if (action === 'cancel' && paid > 0n) throw problem('wrong_state', { detail: HAS_PAYMENTS })
}

/** The status of an issued invoice: paid once nothing is due, so at once if its total is 0. */
export const settled = (total: bigint, paid: bigint): 'issued' | 'paid' => paid === total ? 'paid' : 'issued'
