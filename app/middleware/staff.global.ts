import type { RouteLocationNormalized } from 'vue-router'

/** The clinic's pages are for people who are signed in. Loads their texts. */
export default defineNuxtRouteMiddleware(async (to) => {
  if (to.path === '/') return await goHome(to)
  if (!hasStaffTexts(to)) return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  if (!isStaffPage(to) || import.meta.server || to.matched.length === 0) return

  // A page that the server rendered, as a module may choose, is hydrated unchanged first.
  const nuxt = useNuxtApp()
  const enter = async () => await enterStaff(to)
  if (!nuxt.isHydrating || !nuxt.payload.serverRendered) return await enter()
  onNuxtReady(() => void enter())
})

const enterStaff = async (to: RouteLocationNormalized) => (await import('../utils/enter-staff.ts')).enterStaff(to)

/**
 * `/` is the home page of a signed-in member, and the public front page for everyone else. The server renders only the
 * public page, and none for a request with a session cookie (`server/middleware/home.ts`).
 */
async function goHome(to: RouteLocationNormalized) {
  const nuxt = useNuxtApp()
  // The state of `useSession`, which only the clinic's pages load.
  const standing = useState<string | undefined>('session')
  const isPublic = standing.value !== 'in' && (nuxt.payload.serverRendered || standing.value === 'out')
  if (import.meta.server || isPublic) return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  const elsewhere = await enterStaff(to)
  if (standing.value === 'out') return
  to.meta.layout = 'default'
  return elsewhere
}
