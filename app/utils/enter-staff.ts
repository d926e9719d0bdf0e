import type { RouteLocationNormalized } from 'vue-router'
import parts from '#build/staff-parts.mjs'

let ready: Promise<unknown> | undefined
/** The id of the user whose language the screens have. */
let spokenTo: string | undefined

/** Before a page of the clinic opens: loads what the modules add, and who is signed in. */
export async function enterStaff(to: RouteLocationNormalized) {
  await (ready ??= Promise.all(parts.map(async part => (await part()).default())))
  const { standing, me, isHeld, load } = useSession()
  if (standing.value !== 'in') await load()
  if (me.value && spokenTo !== me.value.user.id) {
    spokenTo = me.value.user.id
    await useStaffLanguage().speak(to.query.locale)
  }
  if (standing.value === 'out') return navigateTo({ path: '/login', query: { to: to.fullPath } })
  if (isHeld() && to.path !== '/account') return navigateTo('/account')
}
