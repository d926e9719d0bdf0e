let ready: Promise<void> | undefined

/** vue-i18n, which in the browser only the clinic's pages load. It goes on in the language that was spoken. */
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
  // The document was set up before.
  watch(locale, code => void (before.value = code))
}
