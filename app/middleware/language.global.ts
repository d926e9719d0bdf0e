import type { RouteLocationNormalized } from 'vue-router'

/**
 * The language before anything is drawn. The page of a link waits: it prefers the language of its budget. A public page
 * that the browser draws alone has none until now, and would show the names of its texts.
 */
export default defineNuxtRouteMiddleware(async (to, from) => {
  const nuxt = useNuxtApp()
  if (isLeftBehind(to, from)) {
    const query = { ...to.query, locale: from.query.locale }
    return navigateTo({ path: to.path, query, hash: to.hash }, { replace: true })
  }
  if (hasStaffTexts(to)) await useStaffI18n()
  const hasLanguage = Boolean(nuxt.$i18n.locale.value)
  const isPatients = to.meta.layout === 'patient'
  if (isPatients && !to.query.locale && hasLanguage) return
  const chosen = isPatients ? null : useAccountLanguage().value ?? useChosenLanguage().value
  const code = wantedLanguage(nuxt, [to.query.locale, chosen, firstLanguage(nuxt), hasLanguage ? null : fallback()])
  if (code && code !== nuxt.$i18n.locale.value) await nuxt.$i18n.setLocale(code)
})

const fallback = () => useRuntimeConfig().public.i18n.defaultLocale

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
