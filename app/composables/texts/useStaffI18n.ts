let ready: Promise<void> | undefined

/** Loads vue-i18n, which only the clinic's pages need in the browser. It keeps the current language. */
export async function useStaffI18n() {
  if (import.meta.client) await (ready ??= install())
}

async function install() {
  const nuxt = useNuxtApp()
  const before = nuxt.$i18n.locale
  const { default: plugins } = await import('#build/staff-i18n.mjs')
  for (const plugin of plugins) await nuxt.runWithContext(() => plugin(nuxt))
  const { locale, setLocale } = nuxt.$i18n
  if (before.value) await setLocale(before.value)
  // The document's head still uses the earlier ref.
  watch(locale, code => void (before.value = code))
}
