import type { NuxtApp } from '#app'

/** The first language that the screens have, of codes such as `es` in the order of preference. */
export const wantedLanguage = (nuxt: NuxtApp, wanted: unknown[]) =>
  wanted.flatMap(code => nuxt.$i18n.localeCodes.value.find(known => known === code) ?? [])[0]

/**
 * The browser's language when a page begins; undefined later, when the page has one. What the server drew is hydrated
 * in the language that the server chose: both must draw the same.
 */
export function firstLanguage(nuxt: NuxtApp): string | undefined {
  if (import.meta.client && !nuxt.isHydrating) return undefined
  const isDrawn = import.meta.client && nuxt.payload.serverRendered
  return isDrawn ? document.documentElement.lang : nuxt.$i18n.getBrowserLocale()
}
