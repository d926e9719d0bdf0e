import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { NitroConfig } from 'nitropack/types'
import modules from './modules.json'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Types, pages and server come from the compiled kit.
execFileSync('sh', [here('./bin/build-kit')], { stdio: 'inherit' })

/** Layers below `layers/` register themselves; community ones come from the generated list. */
const communityLayers = modules.modules.map(module => module.path).filter(path => !path.startsWith('layers/'))

const nitro = {
  imports: false as const,
  compressPublicAssets: true, // brotli and gzip, once at build time
  // Bundling these packages lets the large ones load lazily from one chunk, so that a process starts much faster.
  externals: {
    inline: [
      'drizzle-orm',
      'postgres',
      'zod',
      'rou3',
      '@svc/kit',
      '@svc/evidence-page',
      '@svc/embedded-postgres',
      '@svc/postgres-sockets',
      '@svc/sheet',
      '@pdfme/generator',
      '@pdfme/schemas',
      '@pdfme/common',
      '@pdfme/pdf-lib',
      'lucide',
      'date-fns',
      'bwip-js',
      'air-datepicker',
      'dompurify',
      'signature_pad',
      'vue-router',
      '@iconify/utils',
      'consola',
      'semver',
      'ipaddr.js',
      'canonicalize',
      '@date-fns/tz',
      'fflate',
      'aws4fetch',
      '@zxcvbn-ts/core',
      '@zxcvbn-ts/language-common',
      '@zxcvbn-ts/dictionary-compression',
      'fastest-levenshtein'
    ]
  }
} satisfies NitroConfig
// Merged over the settings above in production. It repeats one key, so that TypeScript accepts it as a NitroConfig.
const production = {
  imports: false as const,
  entry: here('./server/start.ts'),
  // `npm run build` builds into a separate folder (cli/build/aside.ts).
  ...(process.env.SVC_BUILD_OUTPUT ? { output: { dir: process.env.SVC_BUILD_OUTPUT } } : {})
} satisfies NitroConfig

export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  extends: communityLayers.map(path => here(path)),
  modules: [
    './build/official-modules',
    './build/module-routes',
    './build/addresses',
    './build/problem-errors',
    './build/split-server',
    './build/threads',
    './build/lean-client',
    './build/staff',
    './build/public-styles',
    './build/strict-styles',
    './build/fallback-fonts',
    '@nuxt/ui',
    '@nuxtjs/i18n',
    './build/public-texts'
  ],
  // In folders that only group files, a component is named by its file alone.
  components: [{ path: '~/components/frame', pathPrefix: false }, '~/components'],
  imports: { dirs: ['composables/**'] },
  css: ['~/assets/css/public.css'],
  devtools: { enabled: false },
  telemetry: false,
  ssr: true,
  // Our `shared/` is plain TypeScript for server and screens. Nuxt would exclude its own `shared/` from the bundle, so
  // that is set to a path that doesn't exist.
  dir: { shared: 'app/shared' },
  experimental: { payloadExtraction: false, appManifest: false, externalVue: false, componentIslands: false },
  typescript: { strict: true },
  // All components, and those of our libraries, use `setup`. The options API would add 1 kB to every page.
  vue: { optionsApi: false },

  // Fonts aren't fetched from other servers, neither at build time nor at run time.
  ui: { fonts: false },
  // It would write a style element without our nonce.
  colorMode: { disableTransition: false },
  icon: {
    mode: 'svg', // the other mode writes a style element per icon, see build/strict-styles
    provider: 'server',
    fallbackToApi: false,
    serverBundle: { collections: ['lucide'] },
    clientBundle: { scan: true }
  },

  i18n: {
    strategy: 'no_prefix',
    defaultLocale: 'en',
    detectBrowserLanguage: false,
    bundle: { fullInstall: false }, // texts come from `t` alone, not from components
    locales: [
      { code: 'en', language: 'en', name: 'English', dir: 'ltr', file: 'en.json' },
      { code: 'es', language: 'es', name: 'Español', dir: 'ltr', file: 'es.json' },
      { code: 'fr', language: 'fr', name: 'Français', dir: 'ltr', file: 'fr.json' },
      { code: 'de', language: 'de', name: 'Deutsch', dir: 'ltr', file: 'de.json' },
      { code: 'pt', language: 'pt', name: 'Português', dir: 'ltr', file: 'pt.json' },
      { code: 'ar', language: 'ar', name: 'العربية', dir: 'rtl', file: 'ar.json' }
    ]
  },

  // The browser renders the clinic's screens, because their content depends on who is signed in.
  routeRules: Object.fromEntries(
    [
      'login',
      'setup',
      'invitation',
      'membership',
      'password-reset',
      'account',
      'users/**',
      'clinic',
      'webhooks/**',
      'tokens/**',
      'audit',
      'modules/**'
    ].map(path => [`/${path}`, { ssr: false }])
  ),

  nitro,

  // `nuxt dev` has its own entry; there the gate middleware holds requests until the server is ready.
  // Nothing reads maps of the built server, and they would take a ninth of the build.
  $production: { nitro: production, sourcemap: false }
})
