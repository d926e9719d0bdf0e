import { defineNuxtModule } from '@nuxt/kit'

/**
 * What every page needs anyway, as one file instead of ten small ones. Nothing of Nuxt UI: public pages carry none of
 * it.
 */
const EVERY_PAGE
  = /node_modules\/(@?vue|vue-router|nuxt|ofetch|destr|ufo|hookable|unctx|defu|h3|nostics)\/|\/app\/(layouts\/(patient|front)|components\/(PageIcon|LanguageSwitch)|composables\/(useReaderLanguage|useClinicAccent))|\/i18n\/(i18n\.config|plural-rule)\.ts/

/**
 * Few requests on a patient's phone: shared code in one file, and nothing is fetched ahead that may never be needed.
 */
export default defineNuxtModule({
  meta: { name: 'lean-client' },
  setup(_, nuxt) {
    nuxt.hook('build:manifest', (manifest) => {
      for (const entry of Object.values(manifest)) entry.prefetch = false
    })
    nuxt.hook('vite:extendConfig', (config, { isClient }) => {
      if (!isClient || nuxt.options.dev) return
      Object.assign(config, { build: { ...config.build, rolldownOptions: withGroup(config.build?.rolldownOptions) } })
    })
  }
})

type Options = { output?: object | object[] } | undefined

function withGroup(options: Options) {
  const group = { name: 'every-page', test: EVERY_PAGE }
  return { ...options, output: { ...options?.output, codeSplitting: { groups: [group] } } }
}
