import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'

/** What every document's head holds, the error page's too. */
export function useDocument() {
  const { locale, locales } = useI18n()
  const dir = computed(() => locales.value.find(known => known.code === locale.value)?.dir ?? 'ltr')

  useHead({
    htmlAttrs: { lang: locale, dir },
    link: [{ rel: 'preload', as: 'font', type: 'font/woff2', href: latin, crossorigin: '' }],
    meta: [
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      { name: 'format-detection', content: 'telephone=no' }
    ]
  })
}
