export default defineNuxtConfig({
  routeRules: { '/payments/**': { ssr: false } },
  i18n: {
    locales: [
      { code: 'en', file: 'en.json' }, { code: 'es', file: 'es.json' }, { code: 'fr', file: 'fr.json' },
      { code: 'de', file: 'de.json' }, { code: 'pt', file: 'pt.json' }, { code: 'ar', file: 'ar.json' }
    ]
  }
})
