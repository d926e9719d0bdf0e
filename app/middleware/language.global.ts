import type { RouteLocationNormalized } from 'vue-router'

/**
 * Sets the language before the first render. The page of a link waits, because it prefers its budget's language. A
 * public page that is rendered in the browser alone has no language yet, and would show the names of its texts.
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
 * Whether the history entry has an earlier language, for example a step of the patient's page from before a change of
 * language. Going back then keeps the new language.
 */
function isLeftBehind(to: RouteLocationNormalized, from: RouteLocationNormalized): boolean {
  const rest = ({ locale: _, ...query }: RouteLocationNormalized['query']) => JSON.stringify(query)
  const { locale } = from.query
  if (locale === undefined || to.query.locale === locale) return false
  return to.path === from.path && rest(to.query) !== rest(from.query)
}
