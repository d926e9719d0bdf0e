/** Adds this module's parts to the clinic's screens. */
export default () => {
  // Events that a webhook can subscribe to, as in `@svc/kit/modules/payments`.
  useEventNames().add('payments', [
    'payments.requested',
    'payments.paid',
    'payments.cancelled',
    'payments.refunded',
    'payments.attention'
  ])
}
