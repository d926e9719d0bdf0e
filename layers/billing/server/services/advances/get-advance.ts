import { isId, problem, type Ctx } from '@svc/kit'
import type { Advance } from '../../../shared/contract.ts'
import { findAdvance, listApplied, listReversals, type AdvanceKey, type StoredAdvance } from '../../db/advances.ts'
import { toAdvance } from './view-advance.ts'

export interface AdvanceDetail { advance: Advance, edit: number }

/** A malformed id is treated as unknown, like another clinic's id. */
export async function getStoredAdvance(ctx: Ctx, key: AdvanceKey): Promise<StoredAdvance> {
  const row = isId(key.id) ? await findAdvance(ctx.db, key) : null
  if (!row) throw problem('not_found')
  return row
}

/** Throws `not_found`. */
export async function getAdvance(ctx: Ctx, key: AdvanceKey): Promise<AdvanceDetail> {
  const row = await getStoredAdvance(ctx, key)
  const [payments, reversals] = await Promise.all([listApplied(ctx.db, [row.id]), listReversals(ctx.db, [row.id])])
  const people = [row.created_by, ...reversals.map(({ reversed_by }) => reversed_by)].filter(id => id !== null)
  const names = people.length > 0 ? await ctx.users.names(people) : new Map<string, string>()
  return { advance: toAdvance(row, { payments, reversals, names }), edit: row.edit }
}
