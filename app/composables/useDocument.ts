import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'

/** A page with a tick, inline, because a file would be another request. */
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#15535e"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>')}`

/** The head of every document, including the error page. */
export function useDocument() {
  const { locale, locales } = useI18n()
  const dir = computed(() => locales.value.find(known => known.code === locale.value)?.dir ?? 'ltr')

  useHead({
    htmlAttrs: { lang: locale, dir },
    link: [
      { rel: 'preload', as: 'font', type: 'font/woff2', href: latin, crossorigin: '' },
      // Preloads the texts that the server used: the script needs them too, and the request can start before it runs.
      ...(import.meta.server
        ? [{ rel: 'preload' as const, as: 'fetch' as const, href: () => textsPath(locale.value), crossorigin: '' as const }]
        : []),
      { rel: 'icon', type: 'image/svg+xml', href: ICON }
    ],
    meta: [
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      { name: 'theme-color', media: '(prefers-color-scheme: light)', content: '#f6f6f3' },
      { name: 'theme-color', media: '(prefers-color-scheme: dark)', content: '#0f1617' },
      { name: 'format-detection', content: 'telephone=no' }
    ]
  })
}
