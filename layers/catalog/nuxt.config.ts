export default defineNuxtConfig({
  routeRules: { '/catalog/**': { ssr: false } }
})
