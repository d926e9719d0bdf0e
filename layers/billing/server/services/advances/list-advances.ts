import type { Ctx } from '@svc/kit'
import type { AdvanceQuery, AdvanceRow } from '../../../shared/contract.ts'
import { ADVANCE_STATUSES, type AdvanceStatus } from '../../../shared/domain/advances.ts'
import { countByStatus, listPage, type AdvanceFilter } from '../../db/advance-list.ts'
import { toAdvanceRow } from './view-advance.ts'

export interface AdvanceList {
  rows: AdvanceRow[]
  total: number
  /** By status, with all filters except the status. */
  counts: Record<AdvanceStatus, number>
}

type Query = Omit<AdvanceQuery, 'page' | 'page_size' | 'sort'> & { clinic_id: string }

/**
 * An advance applies to all versions of a budget, so the filter is the budget's number. Null if the budget is unknown.
 */
export async function toFilter(ctx: Ctx, { budget_id, ...filter }: Query): Promise<AdvanceFilter | null> {
  if (!budget_id) return filter
  const budget = await ctx.use('budget').getBudget(filter.clinic_id, budget_id)
  return budget && { ...filter, budget_number: budget.number }
}

export async function listAdvances(
  ctx: Ctx,
  { page, page_size, sort, ...query }: AdvanceQuery & { clinic_id: string }
): Promise<AdvanceList> {
  const filter = await toFilter(ctx, query)
  const [rows, found] = filter
    ? await Promise.all([listPage(ctx.db, filter, { sort, page, page_size }), countByStatus(ctx.db, filter)])
    : [[], new Map<AdvanceStatus, number>()]
  const counts = Object.fromEntries(ADVANCE_STATUSES.map(name => [name, found.get(name) ?? 0])) as AdvanceList['counts']
  const total = [...new Set(query.status ?? ADVANCE_STATUSES)].reduce((sum, name) => sum + counts[name], 0)
  return { rows: rows.map(toAdvanceRow), total, counts }
}
