import type { KnipConfig } from 'knip'

/**
 * `npm run unused`. Named here is only what nothing imports because a framework, a shell script or a process starts it.
 */
export default {
  workspaces: {
    '.': {
      entry: [
        'cli/main.ts',
        'cli/build/{main,bundle}.ts',
        'cli/*.thread.ts', // started by its address
        'server/{start,error-handler}.ts',
        'server/{api,middleware,plugins,routes}/**/*.ts',
        'build/*.ts',
        'layers/*/app/{staff.ts,assets/css/public.css}',
        // The server half of a module, and what other modules and the schema generator read of it.
        'layers/*/server/{index,exports,events}.ts',
        'layers/*/server/api/**/*.ts',
        'layers/*/server/db/schema.ts',
        'layers/*/nuxt.config.ts',
        // Nuxt imports by itself what lies here.
        '{app,layers/*/app,tests/fixtures/modules/*/layer/app}/{components,composables,layouts,middleware,pages,plugins,utils}/**/*.{ts,vue}',
        'tests/**/*.test.ts',
        'tests/fixtures/**/*.mjs',
        'tests/support/resolve-quickly.cjs',
        'tests/fixtures/types/server/**/*.ts', // shown in docs/modules/types.md, and compiled by `npm run typecheck`
        'tests/support/database/{accept-and-die,boot-and-die,publish-and-die,serve}.ts',
        'tests/bench/bare/*/{routes,plugins}/**/*.ts'
      ],
      project: ['{app,build,cli,layers,server,shared,tests}/**/*.{ts,vue,mjs,css}']
    },
    'packages/kit': { entry: ['src/**/*.ts'] },
    // Threads are started by their address.
    'packages/sheet': { entry: ['**/*.thread.ts'] }
  },
  ignoreDependencies: [
    // Read as files: the icons, the page of the API's description, the PDF's fonts.
    '@iconify-json/lucide',
    '@scalar/api-reference',
    'dejavu-fonts-ttf',
    /^@fontsource-variable\/noto-/,
    // Come with Nuxt: versions of our own could differ from its.
    '@nuxt/kit',
    'nitropack',
    'vue-i18n'
  ],
  ignoreUnresolved: [
    '#official-modules', '#svc/routes', '#svc/addresses', '#svc/fallback-fonts', '#nitro-internal-virtual/public-assets',
    '#nitro-internal-pollyfills'
  ],
  // Foreign checks of the seal, used where the machine has them.
  ignoreBinaries: ['mkfifo', 'openssl', 'pdfsig'],
  // What a file exports is also what it tells about itself: tables of states, shapes in signatures, errors to catch.
  ignoreExportsUsedInFile: true,
  ignoreIssues: { 'server/core/manifest.ts': ['types'] }
} satisfies KnipConfig
