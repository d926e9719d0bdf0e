import type { ModuleDefinition } from '@svc/kit'
import type { RunningModule } from '../../host.ts'

type Declared = Pick<ModuleDefinition, 'steps' | 'before'> & { guards: string[] }

/**
 * Steps are named after their owner, and the guards of entry and manifest are the same, so that a module that cannot be
 * loaded still refuses. Throws otherwise.
 */
export function checkDecisions(module: string, { steps = {}, before = {}, guards }: Declared): void {
  const foreign = Object.keys(steps).filter(step => !step.startsWith(`${module}.`))
  if (foreign.length > 0) throw new Error(`its step ${foreign.join(', ')} does not begin with "${module}."`)
  const unnamed = Object.keys(before).filter(step => !guards.includes(step))
  if (unnamed.length > 0) throw new Error(`it guards ${unnamed.join(', ')}, which guards of its manifest does not name`)
  const missing = guards.filter(step => !before[step])
  if (missing.length > 0)
    throw new Error(`guards of its manifest names ${missing.join(', ')}, which before of its entry does not have`)
}

/** A guard that would never be called: the owner of its step runs, but has no such step. */
export function unknownGuard({ before = {} }: ModuleDefinition, modules: RunningModule[]): string | null {
  const unknown = Object.keys(before).filter((step) => {
    const owner = modules.find(({ name }) => step.startsWith(`${name}.`))
    return owner && !owner.definition.steps?.[step]
  })
  return unknown.length > 0 ? `it guards ${unknown.join(', ')}, which its module does not have as a step` : null
}
