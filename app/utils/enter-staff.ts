import type { RouteLocationNormalized } from 'vue-router'
import parts from '#build/staff-parts.mjs'

let ready: Promise<unknown> | undefined

/** Before a page of the clinic: what the modules add to it, and who is there. Loaded by those pages only. */
export async function enterStaff(to: RouteLocationNormalized) {
  await (ready ??= Promise.all(parts.map(async part => (await part()).default())))
  const { standing, load } = useSession()
  if (standing.value !== 'in') await load()
  if (standing.value === 'out') return navigateTo({ path: '/login', query: { to: to.fullPath } })
}
