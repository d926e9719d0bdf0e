/** The clinic's pages (those of the default layout) are for people who are logged in; their texts come with them. */
export default defineNuxtRouteMiddleware(async (to) => {
  const staff = to.meta.layout === undefined || to.meta.layout === 'default'
  if (!staff && to.meta.texts !== 'staff') return
  await useStaffTexts()
  if (!staff || import.meta.server || to.matched.length === 0) return

  const { standing, load } = useSession()
  if (standing.value !== 'in') await load()
  if (standing.value === 'out') return navigateTo({ path: '/login', query: { to: to.fullPath } })
})
