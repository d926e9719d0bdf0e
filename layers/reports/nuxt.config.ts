export default defineNuxtConfig({
  routeRules: { '/reports/**': { ssr: false } }
})
