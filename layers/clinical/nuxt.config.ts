export default defineNuxtConfig({
  routeRules: { '/patients/**': { ssr: false } }
})
