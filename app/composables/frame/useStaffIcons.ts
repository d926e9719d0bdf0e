let isReady = false

/** Sets up Nuxt UI's icons on the clinic's pages. Public pages have icons of their own: `build/staff.ts`. */
export async function useStaffIcons() {
  const nuxt = useNuxtApp()
  const { default: plugin } = await import('#build/staff-icons.mjs')
  if (isReady && import.meta.client) return
  isReady = true
  await nuxt.runWithContext(() => plugin(nuxt))
}
