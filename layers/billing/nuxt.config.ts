export default defineNuxtConfig({
  i18n: { locales: [{ code: 'en', file: 'en.json' }, { code: 'es', file: 'es.json' }] }
})
