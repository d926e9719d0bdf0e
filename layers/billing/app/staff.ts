import { BillingSettings } from '../shared/settings.ts'

/** Adds this module's parts to the clinic's screens. */
export default () => {
  useSettingsSections().add({
    module: 'billing',
    component: defineAsyncComponent(() => import('./components/BillingSettings.vue')),
    schema: BillingSettings,
    toRequest: form => ({ ...form, payment_days: form.payment_days ?? null })
  })
  usePageSections().add({
    page: 'patient',
    component: defineAsyncComponent(() => import('./components/PatientInvoices.vue')),
    permission: 'billing.read',
    order: 20
  })
  usePageSections().add({
    page: 'budget',
    component: defineAsyncComponent(() => import('./components/BudgetInvoices.vue')),
    permission: 'billing.read',
    order: 10
  })
  usePageSections().add({
    page: 'budget',
    component: defineAsyncComponent(() => import('./components/BudgetAdvances.vue')),
    permission: 'billing.read',
    order: 11
  })
  usePageSections().add({
    page: 'budget-next',
    component: defineAsyncComponent(() => import('./components/BudgetInvoiceButton.vue')),
    permission: 'billing.read',
    order: 10
  })
  useErasureWords().add({
    'names in invoices': 'billing.erasure.names',
    'invoice drafts, cancelled': 'billing.erasure.drafts',
    'notes of payments': 'billing.erasure.notes',
    'names in receipts': 'billing.erasure.receipts',
    'notes of advances': 'billing.erasure.advance_notes',
    'issued invoice': 'billing.erasure.issued',
    'receipt of an advance': 'billing.erasure.receipt',
    'Accounts must be kept; the invoice names whom it was issued to.': 'billing.erasure.reason',
    'Accounts must be kept; the receipt names whose payment it confirms.': 'billing.erasure.receipt_reason'
  })
  usePaletteSources().add({
    id: 'invoices',
    label: 'billing.navigation.invoices',
    permission: 'billing.read',
    async find(search) {
      const { data } = await useBillingApi().listInvoices({ search, page_size: 5 })
      return data.map(({ id, number, budget, patient }) => ({
        label: number ?? budget.number,
        suffix: `${patient.first_name} ${patient.last_name}`,
        icon: 'i-lucide-receipt',
        to: `/invoices/${id}`
      }))
    }
  })
}
