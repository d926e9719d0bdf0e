import type { Ctx } from '@svc/kit'
import { listLogRows } from '../../db/access-log.ts'
import type { BudgetKey } from '../../db/budgets.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { readable } from './log-chain.ts'

/** Newest first. Throws `not_found`. */
export async function listAccessLog(
  ctx: Ctx,
  { page, page_size, ...key }: BudgetKey & { page: number, page_size: number }
) {
  const budget = await getStaffBudget(ctx.db, key)
  const { rows, total } = await listLogRows(ctx.db, { budget_id: budget.id, page, page_size })
  const names = await ctx.users.names([...new Set(rows.flatMap(row => row.user_id ?? []))])
  return {
    rows: rows.map(({ seq: _seq, clinic_id: _clinic, ...row }) => ({
      ...row,
      user_name: row.user_id ? (names.get(row.user_id) ?? null) : null,
      detail: readable(row.detail),
      prev_hash: row.prev_hash?.toString('hex') ?? null,
      hash: row.hash.toString('hex')
    })),
    total
  }
}
