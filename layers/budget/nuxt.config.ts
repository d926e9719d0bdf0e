import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineNuxtConfig({
  // The patient's components are named by their files: `BudgetSheet`, not `PatientBudgetSheet`.
  components: [
    { path: here('./app/components/patient'), pathPrefix: false },
    { path: here('./app/components/detail'), pathPrefix: false },
    { path: here('./app/components/teeth'), pathPrefix: false },
    here('./app/components')
  ],
  imports: { dirs: ['composables/**'] },
  routeRules: { '/budgets/**': { ssr: false } },
  i18n: {
    locales: [
      { code: 'en', file: 'en.json' }, { code: 'es', file: 'es.json' }, { code: 'fr', file: 'fr.json' },
      { code: 'de', file: 'de.json' }, { code: 'pt', file: 'pt.json' }, { code: 'ar', file: 'ar.json' }
    ]
  }
})
