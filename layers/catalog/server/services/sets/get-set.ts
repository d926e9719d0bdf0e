import { isId, problem, type Ctx } from '@svc/kit'
import { findSet } from '../../db/sets.ts'
import { viewSet, type VersionedSet } from './view-sets.ts'

/** A malformed id is as unknown as another clinic's. */
export async function getSet(ctx: Ctx, at: { clinic_id: string, id: string }): Promise<VersionedSet> {
  const row = isId(at.id) ? await findSet(ctx.db, at) : null
  if (!row) throw problem('not_found')
  return await viewSet(ctx, row)
}
