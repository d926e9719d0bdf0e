import fc from 'fast-check'
import type { PlanModule } from '../../../server/core/modules/plan.ts'

/** The requests of an operator between two restarts, including ones that are refused. */
export interface CommandInput { command: 'install' | 'uninstall', index: number }
export interface Story { modules: PlanModule[], batches: CommandInput[][] }

/** Names in an order that is not the order of the dependencies. */
const nameOf = (index: number) => `m${String.fromCharCode(97 + (index * 7) % 26)}`

/** A graph without cycles, with nothing installed, and a few batches of requests. */
export function anyStory({ size, batches }: { size: number, batches: number }): fc.Arbitrary<Story> {
  const graph = fc
    .array(fc.array(fc.nat({ max: size }), { maxLength: 3 }), { minLength: 2, maxLength: size })
    .map(list =>
      list.map((picks, index): PlanModule => ({
        name: nameOf(index),
        state: 'uninstalled',
        depends: index === 0 ? [] : [...new Set(picks.map(pick => nameOf(pick % index)))]
      }))
    )
  const wish = fc.record({ command: fc.constantFrom('install' as const, 'uninstall' as const), index: fc.nat() })
  const story = fc.record({
    modules: graph,
    batches: fc.array(fc.array(wish, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: batches })
  })
  return story.map(({ modules, batches }) => ({
    modules,
    batches: batches.map(batch => batch.map(({ command, index }) => ({ command, index: index % modules.length })))
  }))
}

/** Dependencies of existing modules that don't exist. Empty after every run. */
export function missingIn(modules: readonly PlanModule[]): string[] {
  const installed = new Set(modules.filter(({ state }) => state === 'installed').map(({ name }) => name))
  return modules
    .filter(({ name }) => installed.has(name))
    .flatMap(({ name, depends }) =>
      depends.filter(other => !installed.has(other)).map(other => `${name} needs ${other}`)
    )
}
