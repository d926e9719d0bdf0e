import { BudgetSettings } from '../shared/settings.ts'

/** Adds this module's parts to the clinic's screens. */
export default () => {
  useSettingsSections().add({
    module: 'budget',
    component: defineAsyncComponent(() => import('./components/BudgetSettings.vue')),
    schema: BudgetSettings,
    toRequest: form => toBudgetSettings(form as unknown as BudgetSettingsForm),
    useShow: useSettingWords
  })
  usePageSections().add({
    page: 'patient',
    component: defineAsyncComponent(() => import('./components/PatientBudgets.vue')),
    permission: 'budget.read',
    order: 10
  })
  useAttention().add({ id: 'budget', permission: 'budget.read', order: 10, useFind: useBudgetAttention })
  usePageSections().add({
    page: 'home',
    component: defineAsyncComponent(() => import('./components/HomeDecisions.vue')),
    permission: 'budget.read',
    order: 30
  })
  useErasureWords().add({
    'budget drafts, deleted': 'budget.erasure.drafts',
    'open budgets, cancelled': 'budget.erasure.open',
    'budgets, emptied of names and notes': 'budget.erasure.versions',
    'texts in access logs': 'budget.erasure.logs',
    'messages': 'budget.erasure.messages',
    'budget ids of other systems': 'budget.erasure.external_ids',
    'links': 'budget.erasure.links',
    'sessions of links': 'budget.erasure.sessions',
    'signed PDF': 'budget.erasure.signed_pdf',
    'evidence of the acceptance': 'budget.erasure.evidence',
    'budget template with this name in its texts': 'budget.erasure.template',
    'What was agreed must stay provable: the clinic and the patient may both need it.': 'budget.erasure.reason'
  })
  useFirstSteps().add({
    label: 'budget.list.first',
    to: '/budgets/new',
    permission: 'budget.write',
    order: 40,
    isDone: async signal => (await useBudgetApi().listBudgets({ page_size: 1 }, signal)).data.length > 0
  })
  usePaletteSources().add({
    id: 'budgets',
    label: 'budget.navigation.budgets',
    permission: 'budget.read',
    async find(search) {
      const { data } = await useBudgetApi().listBudgets({ search, page_size: 5 })
      return data.map(({ id, number, version, patient }) => ({
        label: version > 1 ? `${number} (${version})` : number,
        suffix: `${patient.first_name} ${patient.last_name}`,
        icon: 'i-lucide-file-text',
        to: `/budgets/${id}`
      }))
    }
  })
  usePaletteSources().addPlace({
    label: 'budget.list.add',
    icon: 'i-lucide-plus',
    to: '/budgets/new',
    permission: 'budget.write'
  })
  // Events that a webhook can subscribe to, as in `@svc/kit/modules/budget`.
  useEventNames().add('budget', [
    'budget.sent',
    'budget.viewed',
    'budget.accepted',
    'budget.rejected',
    'budget.reminder_sent',
    'budget.signed_pdf_ready',
    'budget.expired',
    'budget.cancelled',
    'budget.superseded',
    'budget.withdrawn',
    'budget.question_asked',
    'budget.question_answered'
  ])
}
