export default defineNuxtConfig({
  routeRules: { '/invoices/**': { ssr: false } }
})
