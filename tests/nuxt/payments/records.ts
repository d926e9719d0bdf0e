import type { PaymentItem } from '#components'

export type PaymentRequest = InstanceType<typeof PaymentItem>['$props']['request']
type Attempt = PaymentRequest['attempts'][number]

export const ID = '0197c6a0-0000-7000-8000-0000000000b1'
export const ATTEMPT = '0197c6a0-0000-7000-8000-0000000000b2'

export const anAttempt = (fields: Partial<Attempt> = {}): Attempt => ({
  id: ATTEMPT, provider: 'stripe', mode: 'live', state: 'paid', attention: null, amount: '246.24', paid_amount: '246.24',
  paid_currency: 'EUR', refundable: '246.24', method: 'card', ref: 'cs_1', payment_ref: 'pi_1',
  created_at: '2026-01-02T10:00:00.000Z', paid_at: '2026-01-02T10:01:00.000Z', checked_at: null, ...fields
})

/** A deposit that the patient has not paid yet. */
export const aRequest = (fields: Partial<PaymentRequest> = {}): PaymentRequest => ({
  id: ID, kind: 'deposit', state: 'open', budget: { id: ID, number: 'PRES-2026-0001' }, invoice: null,
  patient: { id: ID, first_name: 'Ana', last_name: 'Sol' }, currency: 'EUR', amount: '246.24', refunded: '0.00',
  due_on: '2026-01-09', reference: 'PRES-2026-0001', method: null, created_at: '2026-01-02T09:00:00.000Z', paid_at: null,
  attention: [], created_by: null, cancelled_at: null, cancelled_by: null, cancel_reason: null, mailed_at: null,
  mail_error: null, attempts: [], refunds: [], ...fields
})

export const aPaidRequest = (fields: Partial<PaymentRequest> = {}) => aRequest({
  state: 'paid', method: 'card', paid_at: '2026-01-02T10:01:00.000Z', attempts: [anAttempt()], ...fields
})
