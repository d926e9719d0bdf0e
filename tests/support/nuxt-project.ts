import { globSync } from 'node:fs'
import { parseCLI } from 'vitest/node'

const FILES = 'tests/nuxt/**/*.test.ts'

/**
 * Components and composables in a Nuxt app. Nuxt takes seconds to load, so a run of other tests leaves this project
 * out.
 */
export async function nuxtProject(argv = process.argv.slice(2)) {
  if (!isWanted(argv)) return []
  const { defineVitestProject } = await import('@nuxt/test-utils/config')
  return [
    await defineVitestProject({
      test: {
        name: 'nuxt',
        include: [FILES],
        maxWorkers: 2,
        testTimeout: 60_000,
        hookTimeout: 180_000,
        expect: { poll: { timeout: 20_000 } }
      }
    })
  ]
}

/** Selected as vitest does: by `--project`, and by files whose path contains one of the words. */
export function isWanted(argv: string[]): boolean {
  const { filter, options } = parseCLI(['vitest', ...argv])
  const projects = [options.project ?? []].flat()
  if (projects.includes('!nuxt') || !projects.every(name => name === 'nuxt' || name.startsWith('!')))
    return projects.includes('nuxt')
  return filter.length === 0 || globSync(FILES).some(file => filter.some(word => file.includes(word)))
}
