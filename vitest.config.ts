import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { nuxtProject } from './tests/support/nuxt-project.ts'

// Before anything that the tests need is loaded.
execFileSync('sh', [join(import.meta.dirname, 'bin/build-kit')], { stdio: 'inherit' })

// Each password and each code is hashed in 32 MB. The C library would return them to the system and fetch them again
// each time, which can take longer than the hashing. The workers and the servers that they start read this.
process.env.MALLOC_MMAP_THRESHOLD_ ??= String(64 * 1024 * 1024)
process.env.MALLOC_TRIM_THRESHOLD_ ??= String(256 * 1024 * 1024)
// Every worker, and each thread that draws documents, loads the same libraries.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/tests')

// Thousands of budgets get a code and open with it. On an address of this machine the service takes cheaper hashes, and
// each hash names its cost. What is measured pays the whole price.
if (!process.env.BY_HAND && !process.env.LOAD) process.env.SVC_HASH_COST ??= '10'

const node = {
  environment: 'node' as const,
  globals: false,
  maxWorkers: 2, // by itself vitest leaves a core out, which of two is half
  isolate: false, // the service and its libraries are imported once per worker
  execArgv: ['--require', join(import.meta.dirname, 'tests/support/resolve-quickly.cjs')],
  testTimeout: 60_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 20_000 } }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...node, name: 'unit', include: ['tests/unit/**/*.test.ts', 'tests/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'integration',
          // Many of them wait for a while; the others' browsers keep two cores busy.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: ['tests/integration/**/*.test.ts', 'tests/contract/**/*.test.ts', 'tests/proof/**/*.test.ts'],
          globalSetup: ['tests/support/database/database-server.ts']
        }
      },
      ...(await nuxtProject()),
      { test: { ...node, name: 'cli', include: ['tests/cli/**/*.test.ts'], testTimeout: 120_000 } },
      // `npm run timing`: what is measured is believed from a quiet machine only.
      ...(process.env.BY_HAND
        ? [
            {
              test: {
                ...node,
                name: 'by-hand',
                include: ['tests/by-hand/**/*.test.ts'],
                globalSetup: ['tests/support/database/database-server.ts'],
                testTimeout: 600_000
              }
            }
          ]
        : []),
      // `npm run test:load`: minutes of both cores.
      ...(process.env.LOAD
        ? [
            {
              test: {
                ...node,
                name: 'load',
                include: ['tests/load/**/*.test.ts'],
                testTimeout: 120_000,
                fileParallelism: false
              }
            }
          ]
        : []),
      {
        test: {
          ...node,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/browser/built-server.ts'],
          testTimeout: 180_000
        }
      }
    ]
  }
})
