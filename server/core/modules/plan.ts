import { operationOf, type ModuleState, type Operation } from './states.ts'

export interface PlanModule { name: string, state: ModuleState, depends: string[] }
export interface Planned { name: string, operation: Operation }

/**
 * Dependencies first, otherwise by name. Dependencies that are not in the list are ignored. Members of a cycle are
 * sorted by name (running them then reports the missing dependency).
 */
export function inDependencyOrder<M extends { name: string, depends: string[] }>(modules: readonly M[]): M[] {
  const byName = new Map(modules.map(module => [module.name, module]))
  const done = new Set<string>()
  const ordered: M[] = []

  function visit(module: M, path: ReadonlySet<string>) {
    if (done.has(module.name) || path.has(module.name)) return
    const below = new Set([...path, module.name])
    for (const name of [...module.depends].sort()) {
      const dependency = byName.get(name)
      if (dependency) visit(dependency, below)
    }
    done.add(module.name)
    ordered.push(module)
  }

  for (const module of [...modules].sort((a, b) => a.name < b.name ? -1 : 1)) visit(module, new Set())
  return ordered
}

/**
 * The operations of a restart, in order: uninstalls with dependants first, then upgrades and installs with dependencies
 * first.
 */
export function planBoot(modules: readonly PlanModule[]): Planned[] {
  const ordered = inDependencyOrder(modules).map(({ name, state }) => ({ name, operation: operationOf(state) }))
  const removals = ordered.filter(({ operation }) => operation === 'uninstall').reverse()
  const others = ordered.filter(({ operation }) => operation === 'install' || operation === 'upgrade')
  return [...removals, ...others] as Planned[]
}

export type Outcome = 'done' | 'failed' | 'skipped'
export type Verdict = { go: true } | { go: false, status: 'failed' | 'skipped', reason: string }

/**
 * Whether a planned operation may run now, given the `outcomes` of this boot. A module is skipped if its dependency
 * failed, and fails if its dependency is missing. A module that another one needs is never removed.
 */
export function decideOperation(
  planned: Planned,
  modules: readonly PlanModule[],
  outcomes: ReadonlyMap<string, Outcome>,
  { force = false } = {}
): Verdict {
  const self = modules.find(module => module.name === planned.name)!
  return planned.operation === 'uninstall'
    ? decideRemoval(self, modules, outcomes, force)
    : decideInstall(self, modules, outcomes)
}

function decideInstall(
  self: PlanModule,
  modules: readonly PlanModule[],
  outcomes: ReadonlyMap<string, Outcome>
): Verdict {
  const broken = self.depends.filter(name => isBroken(outcomes.get(name)))
  if (broken.length > 0) return { go: false, status: 'skipped', reason: `needs ${broken.join(', ')}, which failed` }
  const missing = self.depends.filter(name => modules.find(module => module.name === name)?.state !== 'installed')
  if (missing.length > 0)
    return { go: false, status: 'failed', reason: `needs ${missing.join(', ')}, which is not installed` }
  return { go: true }
}

function decideRemoval(
  self: PlanModule,
  modules: readonly PlanModule[],
  outcomes: ReadonlyMap<string, Outcome>,
  force: boolean
): Verdict {
  if (force) return { go: true }
  const dependants = modules.filter(module => module.state !== 'uninstalled' && module.depends.includes(self.name))
  const broken = dependants.filter(module => isBroken(outcomes.get(module.name)))
  if (broken.length > 0)
    return { go: false, status: 'skipped', reason: `required by ${namesOf(broken)}, whose removal failed` }
  if (dependants.length > 0) return { go: false, status: 'failed', reason: `required by ${namesOf(dependants)}` }
  return { go: true }
}

const isBroken = (outcome: Outcome | undefined) => outcome === 'failed' || outcome === 'skipped'
const namesOf = (modules: PlanModule[]) => modules.map(module => module.name).sort().join(', ')
