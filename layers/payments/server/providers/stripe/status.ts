import type Stripe from 'stripe'
import type { PaymentStatus } from '../provider.ts'
import { fromStripe } from './amounts.ts'

type Session = Stripe.Checkout.Session

/** Of a session with its payment intent and the latest charge, or of one from a webhook, which has only their ids. */
export function readSession(session: Session, { at }: { at: number | null } = { at: null }): PaymentStatus {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const state = stateOf(session, intent)
  const taken = takenBy(session, intent)
  const seconds = charge?.created ?? at
  return {
    state,
    ...state === 'paid' ? taken : { amount: null, currency: null },
    paid_at: state === 'paid' && seconds !== null ? new Date(seconds * 1000) : null,
    payment_ref: intent?.id ?? (session.payment_intent as string | null),
    method: methodOf(charge?.payment_method_details?.type ?? session.payment_method_types[0])
  }
}

function stateOf({ status, payment_status }: Session, intent: Stripe.PaymentIntent | null): PaymentStatus['state'] {
  if (payment_status === 'paid') return 'paid'
  if (status === 'expired') return 'cancelled'
  // The page was completed, and a payment that takes days has failed since.
  if (status === 'complete' && ['requires_payment_method', 'canceled'].includes(intent?.status ?? '')) return 'failed'
  return 'pending'
}

function takenBy({ amount_total, currency }: Session, intent: Stripe.PaymentIntent | null) {
  const code = (intent?.currency ?? currency ?? '').toUpperCase()
  const amount = intent?.amount_received ?? amount_total
  return { amount: amount === null ? null : fromStripe(amount, code), currency: code }
}

function methodOf(type: string | undefined): PaymentStatus['method'] {
  if (type === 'card') return 'card'
  return type === 'customer_balance' || type === 'sepa_debit' ? 'transfer' : 'other'
}
