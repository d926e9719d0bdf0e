/** The language before anything is drawn. The page of a link waits: it prefers the language of its budget. */
export default defineNuxtRouteMiddleware(async (to) => {
  const nuxt = useNuxtApp()
  if (to.meta.layout === 'patient' && !to.query.locale) return
  const chosen = useAccountLanguage().value ?? useChosenLanguage().value
  const code = wantedLanguage(nuxt, [to.query.locale, chosen, firstLanguage(nuxt)])
  if (code && code !== nuxt.$i18n.locale.value) await nuxt.$i18n.setLocale(code)
})
