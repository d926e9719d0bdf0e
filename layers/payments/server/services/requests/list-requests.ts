import type { Ctx } from '@svc/kit'
import type { AttentionAnswer, RequestQuery, RequestRow } from '../../../shared/contract.ts'
import { REQUEST_STATES, type RequestState } from '../../../shared/domain/request-state.ts'
import { countByState, listRequestPage, type RequestFilter } from '../../db/requests.ts'
import { toRows } from './views.ts'

export interface RequestList {
  rows: RequestRow[]
  total: number
  /** By state, with all filters except the state. */
  counts: Record<RequestState, number>
}

export async function listRequests(
  ctx: Ctx,
  { page, page_size, sort, budget_id, ...query }: RequestQuery & { clinic_id: string }
): Promise<RequestList> {
  const { clinic_id } = query
  const budget = budget_id ? await ctx.use('budget').getBudget(clinic_id, budget_id) : undefined
  if (budget === null) return { rows: [], total: 0, counts: toCounts({}) }
  const filter: RequestFilter = { ...query, ...budget ? { budget_number: budget.number } : {} }
  const [stored, found] = await Promise.all([
    listRequestPage(ctx.db, filter, { sort, page, page_size }),
    countByState(ctx.db, filter)
  ])
  const counts = toCounts(found)
  const total = [...new Set(query.state ?? REQUEST_STATES)].reduce((sum, state) => sum + counts[state], 0)
  return { rows: await toRows(ctx, clinic_id, stored), total, counts }
}

const toCounts = (found: Record<string, number>) =>
  Object.fromEntries(REQUEST_STATES.map(state => [state, found[state] ?? 0])) as RequestList['counts']

const SHOWN = 5

/** What the staff should look at, the newest first. */
export async function listAttention(ctx: Ctx, clinic_id: string): Promise<AttentionAnswer> {
  const filter: RequestFilter = { clinic_id, attention: true }
  const [stored, counts] = await Promise.all([
    listRequestPage(ctx.db, filter, { sort: '-created_at', page: 1, page_size: SHOWN }),
    countByState(ctx.db, filter)
  ])
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return { total, requests: await toRows(ctx, clinic_id, stored) }
}
