import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Discovered } from '../../../server/core/modules/discover.ts'
import { dependantsOf, installChain, toItems, type Items } from '../../../server/core/modules/guards.ts'
import { parseManifest } from '../../../server/core/manifest.ts'
import { decideOperation, planBoot, type Outcome, type PlanModule } from '../../../server/core/modules/plan.ts'
import { OPERATIONS } from '../../../server/core/modules/states.ts'
import type { ModuleRow } from '../../../server/core/modules/store.ts'
import { anyStory, missingIn, type CommandInput } from '../../support/modules/module-graphs.ts'

const anyStories = anyStory({ size: 12, batches: 6 })

function itemsOf(modules: PlanModule[]): Items {
  const disk = modules.map(({ name, depends }): Discovered => {
    const { manifest } = parseManifest({ name, version: '1.0.0', svc: { name, depends } })
    return { name, folder: '/', version: '1.0.0', summary: '', manifest: manifest!, error: null, bundled: false }
  })
  const rows = modules.map(({ name, state }): ModuleRow => ({
    name,
    state,
    version: null,
    category: 'community',
    applied_revision: null,
    error_message: null,
    manifest: null,
    pending: null
  }))
  return toItems(rows, disk)
}

/**
 * Changes the rows like the commands: a chain is scheduled as a whole, and a removal only if no remaining module needs
 * it.
 */
function wish(modules: PlanModule[], { command, index }: CommandInput): PlanModule[] {
  const { name, state } = modules[index]!
  const items = itemsOf(modules)
  if (command === 'uninstall') {
    const isAllowed = state === 'installed' && dependantsOf(name, items).length === 0
    return isAllowed
      ? modules.map(module => (module.name === name ? { ...module, state: 'to_remove' } : module))
      : modules
  }
  const { names, reasons } = installChain(name, items)
  if (reasons.length > 0) return modules
  return modules.map(module =>
    names.includes(module.name) && module.state === 'uninstalled' ? { ...module, state: 'to_install' } : module
  )
}

/** One boot of the plan. `fails` names the operations that fail. */
function boot(before: PlanModule[], fails: (name: string) => boolean = () => false) {
  const outcomes = new Map<string, Outcome>()
  const ran: string[] = []
  let modules = before
  for (const planned of planBoot(modules)) {
    const verdict = decideOperation(planned, modules, outcomes)
    const outcome = verdict.go ? fails(planned.name) ? 'failed' : 'done' : verdict.status
    outcomes.set(planned.name, outcome)
    if (outcome !== 'done') continue
    ran.push(planned.name)
    modules = modules.map(module =>
      module.name === planned.name ? { ...module, state: OPERATIONS[planned.operation].done } : module
    )
  }
  return { modules, outcomes, ran }
}

const pendingIn = (modules: PlanModule[]) =>
  modules.filter(({ state }) => state.startsWith('to_')).map(({ name }) => name)

describe('random graphs with random batches of installs and uninstalls', () => {
  test('never block or run out of order: each restart does everything, and no module ever lacks a dependency', () => {
    fc.assert(
      fc.property(anyStories, ({ modules, batches }) => {
        let now = modules
        for (const batch of batches) {
          now = batch.reduce(wish, now)
          const pending = pendingIn(now)
          const { modules: after, outcomes, ran } = boot(now)
          expect([...outcomes.values()].filter(outcome => outcome !== 'done')).toEqual([])
          expect(ran.sort()).toEqual(pending.sort())
          expect([pendingIn(after), missingIn(after)]).toEqual([[], []])
          now = after
        }
      }),
      { numRuns: 200 }
    )
  })

  test('complete all other operations when some fail, and the rest when the cause is fixed', () => {
    fc.assert(fc.property(anyStories, fc.func(fc.boolean()), ({ modules, batches }, fails) => {
      let now = modules
      for (const batch of batches) {
        now = batch.reduce(wish, now)
        const broken = boot(now, fails)
        expect(missingIn(broken.modules)).toEqual([])
        for (const [name, outcome] of broken.outcomes) {
          // An operation is skipped only for a reason that the same boot recorded.
          if (outcome === 'skipped') expect([...broken.outcomes.values()]).toContain('failed')
          if (outcome === 'failed') expect(fails(name)).toBe(true)
        }
        now = boot(broken.modules).modules
        expect([pendingIn(now), missingIn(now)]).toEqual([[], []])
      }
    }), { numRuns: 200 })
  })
})
