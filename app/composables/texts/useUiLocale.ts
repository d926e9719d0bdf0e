import * as locales from '@nuxt/ui/locale'

const SPOKEN = { en: locales.en, es: locales.es, fr: locales.fr, de: locales.de, pt: locales.pt, ar: locales.ar }

/** The texts inside Nuxt UI's own components, in the page's language. */
export function useUiLocale() {
  const { locale } = useI18n()
  return computed(() => SPOKEN[locale.value] ?? SPOKEN.en)
}
