import type { RouteLocationNormalized } from 'vue-router'

/** The language before anything is drawn. The page of a link waits: it prefers the language of its budget. */
export default defineNuxtRouteMiddleware(async (to, from) => {
  const nuxt = useNuxtApp()
  if (isLeftBehind(to, from)) {
    const query = { ...to.query, locale: from.query.locale }
    return navigateTo({ path: to.path, query, hash: to.hash }, { replace: true })
  }
  if (hasStaffTexts(to)) await useStaffI18n()
  if (to.meta.layout === 'patient' && !to.query.locale) return
  const chosen = useAccountLanguage().value ?? useChosenLanguage().value
  const code = wantedLanguage(nuxt, [to.query.locale, chosen, firstLanguage(nuxt)])
  if (code && code !== nuxt.$i18n.locale.value) await nuxt.$i18n.setLocale(code)
})

/**
 * A page's history may hold entries in a language from before another one was chosen, a step of the patient's page for
 * example. Back leads one step back, and not to that language.
 */
function isLeftBehind(to: RouteLocationNormalized, from: RouteLocationNormalized): boolean {
  const rest = ({ locale: _, ...query }: RouteLocationNormalized['query']) => JSON.stringify(query)
  const { locale } = from.query
  if (locale === undefined || to.query.locale === locale) return false
  return to.path === from.path && rest(to.query) !== rest(from.query)
}
