import type { NuxtApp } from '#app'

/**
 * The first that we speak: what the address asks for (`?locale=es`), what the page prefers, what the browser asks for.
 */
export function wantedLanguage(nuxt: NuxtApp, asked: unknown, preferred?: string | null) {
  const { localeCodes, getBrowserLocale } = nuxt.$i18n
  const spoken = (code: unknown) => localeCodes.value.find(known => known === code)
  // While hydrating, the language that the server chose: both must draw the same.
  const browsers = () =>
    import.meta.server ? getBrowserLocale() : nuxt.isHydrating ? document.documentElement.lang : undefined
  return spoken(asked) ?? spoken(preferred) ?? spoken(browsers())
}
