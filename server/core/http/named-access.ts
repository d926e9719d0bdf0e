import { problem, type Access, type AccessFunction, type ModuleRequest, type NamedAccess, type ProblemTable } from '@svc/kit'
import type { Registry } from '../host.ts'

/** Whether the access is another module's, such as `'forms.link'`. */
export const isNamedAccess = (access: Access): access is NamedAccess =>
  typeof access === 'string' && access.includes('.')

/** An access that a module declares for endpoints of its dependants. */
export interface FoundAccess {
  authorize (request: ModuleRequest): Promise<unknown>
  declared: AccessFunction
  /** The owner's, whose codes the access throws. */
  problems: ProblemTable
}

/** Throws if no running module declares it, which the start of the endpoint's module has checked. */
export function findAccess(registry: Pick<Registry, 'get' | 'problems'>, name: NamedAccess): FoundAccess {
  const [, module = '', access = ''] = /^([^.]+)\.(.+)$/.exec(name) ?? []
  const owner = registry.get(module)
  const declared = owner?.definition.accesses?.[access]
  if (!owner || !declared) throw problem('module_errored', { detail: `No running module declares the access ${name}.` })
  return { authorize: request => declared(request, owner.ctx), declared, problems: registry.problems(module) }
}
