/** `?locale=es` in the address decides the language, before anything is drawn. */
export default defineNuxtRouteMiddleware(async (to) => {
  const { $i18n } = useNuxtApp()
  const code = $i18n.localeCodes.value.find(known => known === to.query.locale)
  if (code && code !== $i18n.locale.value) await $i18n.setLocale(code)
})
