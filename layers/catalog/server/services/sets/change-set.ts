import { isId, matchesEtag, problem, type Ctx } from '@svc/kit'
import type { SetChange } from '../../../shared/contract.ts'
import { lockSet, replaceSetItems, updateSet } from '../../db/sets.ts'
import { assertKnownTreatments } from './assert-known-treatments.ts'
import { viewSet, type VersionedSet } from './view-sets.ts'

interface Input {
  clinic_id: string
  user_id: string
  id: string
  if_match: string | undefined
  change: SetChange
}

/** `items` replaces all. Budgets keep what was added to them. */
export async function changeSet(ctx: Ctx, { clinic_id, user_id, id, if_match, change }: Input): Promise<VersionedSet> {
  const { name, items } = change
  const row = await ctx.db.transaction(async (tx) => {
    const stored = isId(id) ? await lockSet(tx, { clinic_id, id }) : null
    if (!stored) throw problem('not_found')
    if (!matchesEtag(stored.version, if_match)) throw problem('precondition_failed')
    if (items) {
      await assertKnownTreatments(tx, clinic_id, items)
      await replaceSetItems(tx, stored, items)
    }
    return await updateSet(tx, { ...stored, name: name ?? stored.name, updated_by: user_id })
  })
  return await viewSet(ctx, row)
}
