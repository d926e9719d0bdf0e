export default defineNuxtPlugin(() => {
  // Its own chunk: public pages load none of it.
  usePageSections().add({ page: 'patient', component: defineAsyncComponent(() => import('../components/clinic/BudgetsOfPatient.vue')), permission: 'budget.read', order: 10 })
})
