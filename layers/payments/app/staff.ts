import { PaymentSettings } from '../shared/settings.ts'

/** Adds this module's parts to the clinic's screens. */
export default () => {
  useSettingsSections().add({
    module: 'payments',
    component: defineAsyncComponent(() => import('./components/PaymentsSettings.vue')),
    schema: PaymentSettings.partial(),
    toRequest: form => toPaymentSettings(form as unknown as PaymentSettingsForm),
    useShow: usePaymentSettingWords,
    useMessages: usePaymentSettingMessages
  })
  usePageSections().add({
    page: 'budget',
    component: defineAsyncComponent(() => import('./components/BudgetPayments.vue')),
    permission: 'payments.read',
    order: 12
  })
  usePageSections().add({
    page: 'invoice',
    component: defineAsyncComponent(() => import('./components/InvoicePaymentRequests.vue')),
    permission: 'payments.read',
    order: 10
  })
  useAttention().add({ id: 'payments', permission: 'payments.read', order: 20, useFind: usePaymentsAttention })
  useErasureWords().add({
    'open payment requests, cancelled': 'payments.erasure.open',
    'texts in payment requests': 'payments.erasure.texts',
    'links to pay': 'payments.erasure.links'
  })
  // Events that a webhook can subscribe to, as in `@svc/kit/modules/payments`.
  useEventNames().add('payments', [
    'payments.requested',
    'payments.paid',
    'payments.cancelled',
    'payments.refunded',
    'payments.attention'
  ])
}
