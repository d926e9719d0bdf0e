import type { Ctx } from '@svc/kit'
import type { SetRequest } from '../../../shared/contract.ts'
import { insertSet, replaceSetItems } from '../../db/sets.ts'
import { assertKnownTreatments } from './assert-known-treatments.ts'
import { viewSet, type VersionedSet } from './view-sets.ts'

type Input = SetRequest & { clinic_id: string, user_id: string | null }

export async function createSet(ctx: Ctx, { clinic_id, user_id, name, items }: Input): Promise<VersionedSet> {
  const row = await ctx.db.transaction(async (tx) => {
    await assertKnownTreatments(tx, clinic_id, items)
    const inserted = await insertSet(tx, { clinic_id, name, created_by: user_id, updated_by: user_id })
    await replaceSetItems(tx, inserted, items)
    return inserted
  })
  return await viewSet(ctx, row)
}
