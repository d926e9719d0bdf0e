import type { NuxtApp } from '#app'

/** The part of vue-i18n that pages use. Public pages have a small replacement for it. */
export type PageTexts = Pick<
  NuxtApp['$i18n'],
  't' | 'te' | 'locale' | 'locales' | 'localeCodes' | 'localeProperties' | 'setLocale' | 'getBrowserLocale'
>

/** The texts in the current language: from vue-i18n on the server and on the clinic's pages (build/public-texts.ts). */
export const useI18n = (): PageTexts => useNuxtApp().$i18n
