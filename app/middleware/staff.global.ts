import type { RouteLocationNormalized } from 'vue-router'

/** The clinic's pages are for people who are logged in; their texts come with them. */
export default defineNuxtRouteMiddleware(async (to) => {
  if (to.path === '/') return await goHome(to)
  if (!hasStaffTexts(to)) return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  if (!isStaffPage(to) || import.meta.server || to.matched.length === 0) return

  // A page that the server drew (a module's that wants it) is hydrated as it came first.
  const nuxt = useNuxtApp()
  const enter = async () => await enterStaff(to)
  if (!nuxt.isHydrating || !nuxt.payload.serverRendered) return await enter()
  onNuxtReady(() => void enter())
})

const enterStaff = async (to: RouteLocationNormalized) => (await import('../utils/enter-staff.ts')).enterStaff(to)

/**
 * `/` is the home page of a member who is signed in, and public for all others. The server draws the public one alone:
 * for the cookie of a session it draws none (`server/middleware/home.ts`).
 */
async function goHome(to: RouteLocationNormalized) {
  const nuxt = useNuxtApp()
  // Of `useSession`, which comes with the clinic's pages only.
  const standing = useState<string | undefined>('session')
  const isPublic = standing.value !== 'in' && (nuxt.payload.serverRendered || standing.value === 'out')
  if (import.meta.server || isPublic) return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  const elsewhere = await enterStaff(to)
  if (standing.value === 'out') return
  to.meta.layout = 'default'
  return elsewhere
}
