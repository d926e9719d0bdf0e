import { isId, problem, type Ctx, type Person } from '@svc/kit'
import type { Registry, RunningModule } from '../host.ts'

export interface PersonQuery {
  id: string
  /** The caller's clinic. The operator has none, and finds people in every clinic. */
  clinic_id?: string
}

/**
 * Asks each running module, dependencies first, whether the record is theirs. A malformed id is as unknown as one of
 * another clinic. A patient whose data was erased is found too, without a name. Throws `not_found`.
 */
export async function getPerson(
  registry: Registry,
  { id, clinic_id }: PersonQuery,
  ctxOf: (module: RunningModule) => Ctx = module => module.ctx
): Promise<Person> {
  for (const module of isId(id) ? registry.modules : []) {
    const person = await module.definition.hooks?.find_person?.(ctxOf(module), id)
    if (person && (clinic_id === undefined || person.clinic_id === clinic_id)) return person
  }
  throw problem('not_found', { detail: 'No person has this id.' })
}
