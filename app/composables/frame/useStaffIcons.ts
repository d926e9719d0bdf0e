let isReady = false

/** Sets up Nuxt UI's icons for the clinic's pages. Public pages use their own: `build/staff.ts`. */
export async function useStaffIcons() {
  const nuxt = useNuxtApp()
  const { default: plugin } = await import('#build/staff-icons.mjs')
  if (isReady && import.meta.client) return
  isReady = true
  await nuxt.runWithContext(() => plugin(nuxt))
}
