/** The clinic's pages (those of the default layout) are for people who are logged in; their texts come with them. */
export default defineNuxtRouteMiddleware(async (to) => {
  const staff = to.meta.layout === undefined || to.meta.layout === 'default'
  if (!staff && to.meta.texts !== 'staff') return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  if (!staff || import.meta.server || to.matched.length === 0) return

  // A page that the server drew (a module's that wants it) is hydrated as it came first.
  const nuxt = useNuxtApp()
  const enter = async () => (await import('../utils/enter-staff.ts')).enterStaff(to)
  if (!nuxt.isHydrating || !nuxt.payload.serverRendered) return await enter()
  onNuxtReady(() => void enter())
})
