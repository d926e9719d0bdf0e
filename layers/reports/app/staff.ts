/** Adds this module's parts to the clinic's screens. */
export default () => {
  usePageSections().add({
    page: 'home',
    component: defineAsyncComponent(() => import('./components/HomeFigures.vue')),
    permission: 'reports.read',
    order: 20
  })
}
