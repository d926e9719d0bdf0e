import type { Ctx } from '@svc/kit'
import type { PatientMessage, StaffMessage } from '../../../shared/messages.ts'
import type { BudgetKey } from '../../db/budgets.ts'
import { listThread, type MessageRow, type ThreadKey } from '../../db/messages.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'

/** As the patient sees it, without names. */
export const patientMessage = ({ id, from, text, at }: MessageRow): PatientMessage => ({
  id,
  from,
  text,
  at: at.toISOString()
})

/** The thread of the patient's number, oldest first. */
export async function listForPatient(ctx: Ctx, budget: ThreadKey): Promise<PatientMessage[]> {
  return (await listThread(ctx.db, budget)).map(patientMessage)
}

/** The same, with authors and read marks. Throws `not_found`. */
export async function listForStaff(ctx: Ctx, key: BudgetKey): Promise<StaffMessage[]> {
  const budget = await getStaffBudget(ctx.db, key)
  return await withNames(ctx, await listThread(ctx.db, budget))
}

export async function withNames(ctx: Ctx, rows: MessageRow[]): Promise<StaffMessage[]> {
  const ids = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]
  const names = ids.length > 0 ? await ctx.users.names(ids) : new Map<string, string>()
  return rows.map(row => ({
    ...patientMessage(row),
    by: row.user_id === null ? null : { id: row.user_id, name: names.get(row.user_id) ?? '' },
    version_id: row.budget_id,
    read_at: row.read_at?.toISOString() ?? null
  }))
}
