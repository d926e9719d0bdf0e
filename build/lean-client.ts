import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineNuxtModule } from '@nuxt/kit'

/**
 * Code that every page needs, as one file instead of ten small ones: the application's start, code shared by public
 * pages, and their imports. A package that only the clinic's pages import stays with them.
 */
const EVERY_PAGE
  = /\/nuxt\/dist\/app\/entry\.js|\/app\/(layouts\/(patient|front)|components\/(PageIcon|LanguageSwitch)|composables\/(texts\/useReaderLanguage|frame\/useClinicAccent))/
/**
 * The budget as a patient sees it. The signature pad, the option cards, a lock, the signed copy, the button for a code
 * and what other modules add are loaded only when they are used.
 */
const PATIENT_PAGE = /\/layers\/budget\/app\/(pages\/p\/|components\/patient\/(?!modules\/|code\/|Budget(Pad|Choices|Offer|Option|Lock|Copy)\b))/

/** Code that the clinic's screens share: the frame around each, and the parts of lists. */
const EVERY_SCREEN
  = /\/app\/(layouts\/default|components\/(StaffPage|list\/List\w+|StatusWord|ActionButton|ProblemNotice)\.vue)/

/**
 * Keeps the number of requests low on phones and at the desk: shared code is in one file, and nothing is prefetched
 * that may never be needed.
 */
export default defineNuxtModule({
  meta: { name: 'lean-client' },
  setup(_, nuxt) {
    nuxt.hook('build:manifest', (manifest) => {
      for (const entry of Object.values(manifest)) entry.prefetch = false
    })
    nuxt.hook('vite:extendConfig', (config, { isClient }) => {
      if (!isClient || nuxt.options.dev) return
      const rolldownOptions = withGroups(config.build?.rolldownOptions)
      // Browsers from before 2024 load preloaded modules a little later; we ship no polyfill for them.
      const modulePreload = { polyfill: false }
      const target = oldestBrowsers(nuxt.options.rootDir)
      Object.assign(config, { build: { ...config.build, rolldownOptions, modulePreload, target, cssTarget: target } })
    })
  }
})

type Options = { output?: object | object[] } | undefined

function withGroups(options: Options) {
  const groups = [
    { name: 'every-page', test: EVERY_PAGE, priority: 2 },
    { name: 'patient-page', test: PATIENT_PAGE, priority: 1 },
    { name: 'every-screen', test: EVERY_SCREEN }
  ]
  return { ...options, output: { ...options?.output, codeSplitting: { groups } } }
}

/** Converts `browserslist` of package.json to Vite's names: `ios_saf >= 15` is `ios15`. */
function oldestBrowsers(root: string): string[] {
  const { browserslist } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { browserslist: string[] }
  return browserslist.map((line) => {
    const [, name, version] = /^(chrome|edge|firefox|safari|ios_saf) >= ([\d.]+)$/.exec(line) ?? []
    if (!name) throw new Error(`lean-client: "${line}" of browserslist isn't a browser with a version`)
    return `${name === 'ios_saf' ? 'ios' : name}${version}`
  })
}
