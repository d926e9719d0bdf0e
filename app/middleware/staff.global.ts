/** The clinic's pages are for people who are logged in; their texts come with them. */
export default defineNuxtRouteMiddleware(async (to) => {
  if (!hasStaffTexts(to)) return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  if (!isStaffPage(to) || import.meta.server || to.matched.length === 0) return

  // A page that the server drew (a module's that wants it) is hydrated as it came first.
  const nuxt = useNuxtApp()
  const enter = async () => (await import('../utils/enter-staff.ts')).enterStaff(to)
  if (!nuxt.isHydrating || !nuxt.payload.serverRendered) return await enter()
  onNuxtReady(() => void enter())
})
