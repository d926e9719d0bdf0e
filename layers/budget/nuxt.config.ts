import { fileURLToPath } from 'node:url'

export default defineNuxtConfig({
  css: [fileURLToPath(new URL('./app/assets/css/budget.css', import.meta.url))],
  routeRules: { '/budgets/**': { ssr: false } },
  i18n: {
    locales: [
      { code: 'en', file: 'en.json' }, { code: 'es', file: 'es.json' }, { code: 'fr', file: 'fr.json' },
      { code: 'de', file: 'de.json' }, { code: 'pt', file: 'pt.json' }, { code: 'ar', file: 'ar.json' }
    ]
  }
})
