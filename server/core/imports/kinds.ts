import { problem, type ImportKind } from '@svc/kit'
import type { Registry } from '../host.ts'

/** Throws `not_found`. */
export function getKind(registry: Registry, module: string, kind: string): ImportKind {
  const found = ofModule(registry, module)[kind]
  if (!found) throw problem('not_found')
  return found
}

const ofModule = (registry: Registry, module: string): Record<string, ImportKind> => {
  const imports = registry.get(module)?.definition.imports ?? {}
  return Object.assign(Object.create(null) as Record<string, ImportKind>, imports)
}

export interface NamedKind { module: string, name: string, kind: ImportKind }

/** The kinds of all running modules, bundled ones first. */
export const listKinds = (registry: Registry): NamedKind[] =>
  registry.modules.flatMap(({ name: module, definition }) =>
    Object.entries(definition.imports ?? {}).map(([name, kind]) => ({ module, name, kind }))
  )
