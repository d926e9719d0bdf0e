import type { NuxtApp } from '#app'

/** What pages use of vue-i18n, and public ones have without it. */
export type PageTexts = Pick<
  NuxtApp['$i18n'],
  't' | 'te' | 'locale' | 'locales' | 'localeCodes' | 'localeProperties' | 'setLocale' | 'getBrowserLocale'
>

/** The texts in the language that is spoken. Vue-i18n's on the server and the clinic's pages: build/public-texts.ts. */
export const useI18n = (): PageTexts => useNuxtApp().$i18n
