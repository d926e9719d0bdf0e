/**
 * The language that a public page prefers when the address asks for none: `preferred`, such as that of a person's
 * letter, else the browser's. Await it before the first text, so that the server answers in it.
 */
export async function useReaderLanguage(preferred?: string | null) {
  const nuxt = useNuxtApp()
  const code = wantedLanguage(nuxt, [useRoute().query.locale, preferred, firstLanguage(nuxt)])
  if (code && code !== nuxt.$i18n.locale.value) await nuxt.$i18n.setLocale(code)
}
