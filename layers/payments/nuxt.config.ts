export default defineNuxtConfig({
  routeRules: { '/payments/**': { ssr: false } }
})
