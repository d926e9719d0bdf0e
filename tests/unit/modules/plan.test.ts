import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  inDependencyOrder,
  decideOperation,
  planBoot,
  type Outcome,
  type PlanModule
} from '../../../server/core/modules/plan.ts'
import { stepsOf, type ModuleState } from '../../../server/core/modules/states.ts'

const aModule = (name: string, state: ModuleState, depends: string[] = []): PlanModule => ({ name, state, depends })
const names = (modules: { name: string }[]) => modules.map(module => module.name)

/** Random modules without circular dependencies: each can depend on those before it. */
const anyModules = fc
  .array(
    fc.tuple(
      fc.constantFrom<ModuleState>('uninstalled', 'installed', 'to_install', 'to_upgrade', 'to_remove'),
      fc.array(fc.nat())
    ),
    { maxLength: 12 }
  )
  .map(list =>
    list.map(([state, picks], index) =>
      aModule(
        `m${String.fromCharCode(122 - index)}`,
        state,
        index === 0 ? [] : [...new Set(picks.map(pick => `m${String.fromCharCode(122 - (pick % index))}`))]
      )
    )
  )

describe('the plan of a boot', () => {
  test('has dependencies first, then modules by name', () => {
    const modules = [
      aModule('billing', 'to_install', ['budget', 'catalog']),
      aModule('budget', 'to_install', ['clinical', 'catalog']),
      aModule('clinical', 'to_install'),
      aModule('catalog', 'to_install')
    ]
    expect(names(planBoot(modules))).toEqual(['catalog', 'clinical', 'budget', 'billing'])
  })

  test('has removals first, and dependants before their dependencies', () => {
    const modules = [
      aModule('a', 'to_remove'),
      aModule('b', 'to_remove', ['a']),
      aModule('c', 'to_install'),
      aModule('d', 'to_upgrade'),
      aModule('e', 'installed')
    ]
    expect(planBoot(modules)).toEqual([
      { name: 'b', operation: 'uninstall' }, { name: 'a', operation: 'uninstall' },
      { name: 'c', operation: 'install' }, { name: 'd', operation: 'upgrade' }
    ])
  })

  test('has each pending row once, and never a module before its dependencies', () => {
    fc.assert(fc.property(anyModules, (modules) => {
      const plan = planBoot(modules)
      const pending = modules.filter(module => module.state.startsWith('to_'))
      expect(names(plan).sort()).toEqual(names(pending).sort())
      for (const module of modules) {
        for (const name of module.depends) {
          const [self, other] = [
            plan.findIndex(entry => entry.name === module.name),
            plan.findIndex(entry => entry.name === name)
          ]
          if (self === -1 || other === -1) continue
          const [first, second] = [plan[self]!, plan[other]!].map(entry => entry.operation === 'uninstall')
          if (first === second) expect(first ? self < other : other < self).toBe(true)
        }
      }
    }))
  })

  test('is complete even with circular or missing dependencies', () => {
    const circle = [aModule('a', 'to_install', ['b', 'nowhere']), aModule('b', 'to_install', ['a'])]
    expect(names(inDependencyOrder(circle)).sort()).toEqual(['a', 'b'])
    expect(decideOperation(planBoot(circle)[0]!, circle, new Map())).toMatchObject({ go: false, status: 'failed' })
  })
})

describe('the decision about a planned operation', () => {
  const outcomes = (...entries: [string, Outcome][]) => new Map(entries)
  const install = { name: 'budget', operation: 'install' } as const
  const removal = { name: 'clinical', operation: 'uninstall' } as const

  test('runs an install when its dependencies are installed', () => {
    expect(
      decideOperation(
        install,
        [aModule('budget', 'to_install', ['clinical']), aModule('clinical', 'installed')],
        new Map()
      )
    ).toEqual({ go: true })
  })

  test('skips an install when a dependency failed or was skipped', () => {
    const modules = [aModule('budget', 'to_install', ['clinical']), aModule('clinical', 'to_install')]
    expect(decideOperation(install, modules, outcomes(['clinical', 'failed']))).toEqual({
      go: false,
      status: 'skipped',
      reason: 'needs clinical, which failed'
    })
    expect(decideOperation(install, modules, outcomes(['clinical', 'skipped']))).toMatchObject({ status: 'skipped' })
  })

  test('lets an install fail when a dependency is missing', () => {
    expect(decideOperation(install, [aModule('budget', 'to_install', ['clinical'])], new Map())).toEqual({
      go: false,
      status: 'failed',
      reason: 'needs clinical, which is not installed'
    })
  })

  test('lets the removal of a module that another one needs fail, unless it is forced', () => {
    const modules = [aModule('budget', 'installed', ['clinical']), aModule('clinical', 'to_remove')]
    expect(decideOperation(removal, modules, new Map())).toEqual({
      go: false,
      status: 'failed',
      reason: 'required by budget'
    })
    expect(decideOperation(removal, modules, new Map(), { force: true })).toEqual({ go: true })
  })

  test('skips a removal when the removal of a dependant failed', () => {
    const modules = [aModule('budget', 'to_remove', ['clinical']), aModule('clinical', 'to_remove')]
    expect(decideOperation(removal, modules, outcomes(['budget', 'failed']))).toMatchObject({
      go: false,
      status: 'skipped'
    })
  })
})

test('the steps of each operation are those of one table', () => {
  expect(stepsOf('install')).toEqual(['migrate', 'seed', 'lifecycle', 'finalize'])
  expect(stepsOf('upgrade')).toEqual(['migrate', 'seed', 'lifecycle', 'finalize'])
  expect(stepsOf('uninstall')).toEqual(['backup', 'lifecycle', 'delete_records', 'downgrade', 'finalize'])
  expect(stepsOf('uninstall', { keep_data: true })).toEqual(['lifecycle', 'finalize'])
})
