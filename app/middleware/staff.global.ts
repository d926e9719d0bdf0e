import type { RouteLocationNormalized } from 'vue-router'

/** The clinic's pages (those of the default layout) are for people who are logged in; their texts come with them. */
export default defineNuxtRouteMiddleware(async (to) => {
  if (to.path === '/') return await goHome(to)
  const staff = to.meta.layout === undefined || to.meta.layout === 'default'
  if (!staff && to.meta.texts !== 'staff') return
  await Promise.all([useStaffTexts(), useStaffIcons()])
  if (!staff || import.meta.server || to.matched.length === 0) return

  // A page that the server drew (a module's that wants it) is hydrated as it came first.
  const nuxt = useNuxtApp()
  const enter = async () => await enterStaff(to)
  if (!nuxt.isHydrating || !nuxt.payload.serverRendered) return await enter()
  onNuxtReady(() => void enter())
})

const enterStaff = async (to: RouteLocationNormalized) => (await import('../utils/enter-staff.ts')).enterStaff(to)

/**
 * `/` is the home page of whoever is signed in, and public for all others. A page that the server drew is nobody's:
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
