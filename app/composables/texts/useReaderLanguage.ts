/**
 * Sets the language of a public page if the URL has none: `preferred`, such as that of the person's email, else the
 * browser's. Await it before the first text, so that the server renders in this language.
 */
export async function useReaderLanguage(preferred?: string | null) {
  const nuxt = useNuxtApp()
  const code = wantedLanguage(nuxt, [useRoute().query.locale, preferred, firstLanguage(nuxt)])
  if (code && code !== nuxt.$i18n.locale.value) await nuxt.$i18n.setLocale(code)
}
