import { isId, problem, type AnyTx } from '@svc/kit'
import { shared } from '../db/shared-reads.ts'
import type { Host } from '../host.ts'
import { changeSettings } from './change-settings.ts'
import { declaredBy, getDeclared, type Declared } from './declaration.ts'
import { openValues } from './open-values.ts'
import { NOTHING, readAllStored, readStored, type Stored } from './stored-settings.ts'
import type { Values } from './values.ts'

/** The settings of modules, for their contexts. */
export function createSettings(host: () => Host): Host['settings'] {
  const readTogether = shared((clinic_id: string) => readAllStored(host().db, clinic_id))

  return ({ name: module, definition }, connection) => {
    async function declared(): Promise<Declared> {
      if (!definition) return getDeclared(host().registry, module)
      const own = declaredBy({ name: module, definition: await definition() })
      if (!own) throw problem('not_found')
      return own
    }
    /** `clinic_id` may be any text, because a provider's webhook can have it in its path. */
    const read = async (clinic_id: string, tx?: AnyTx): Promise<Stored> => {
      if (!isId(clinic_id)) return NOTHING
      const through = tx ?? connection
      return through ? await readStored(through, { clinic_id, module }) : (await readTogether(clinic_id))(module)
    }
    return {
      get: async <T>(clinic_id: string, tx?: AnyTx) =>
        openValues(host(), await declared(), clinic_id, await read(clinic_id, tx)) as T,
      change: async (tx, clinic_id, change, actor) => await changeSettings(host(), tx, {
        declared: await declared(),
        clinic_id,
        change: change as Values,
        who: { actor: actor ?? { type: 'system', id: null, name: module } }
      }),
      async changedAt(clinic_id, field, tx) {
        const { changed_at } = await read(clinic_id, tx)
        const instants = Object.entries(changed_at)
          .filter(([name]) => name === field || name.startsWith(`${field}.`))
          .map(([, at]) => at)
        const last = instants.toSorted().at(-1)
        return last === undefined ? null : new Date(last)
      }
    }
  }
}
