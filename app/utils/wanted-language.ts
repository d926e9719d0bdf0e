import type { NuxtApp } from '#app'

/** The first supported language of the codes in `wanted`, such as `es`, which are in order of preference. */
export const wantedLanguage = (nuxt: NuxtApp, wanted: unknown[]) =>
  wanted.flatMap(code => nuxt.$i18n.localeCodes.value.find(known => known === code) ?? [])[0]

/**
 * The language for the first render, or undefined once the page has one. A page that the server rendered is hydrated in
 * the server's language, because both must render the same.
 */
export function firstLanguage(nuxt: NuxtApp): string | undefined {
  if (import.meta.client && !nuxt.isHydrating) return undefined
  const isDrawn = import.meta.client && nuxt.payload.serverRendered
  return isDrawn ? document.documentElement.lang : nuxt.$i18n.getBrowserLocale()
}
