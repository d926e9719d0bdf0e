import type { Ctx, Finding } from '@svc/kit'
import { listBudgetsOf, type BilledBudget } from '../db/of-budgets.ts'

/** At most this many findings are listed; of the others only the number. */
const NAMED = 100

const fix = 'Compare the budgets with a backup: the database was changed directly, not by the service.'

/** Invoices whose budget does not exist. The service deletes only drafts of budgets, which have no invoice. */
export async function findOrphaned(ctx: Ctx): Promise<Finding[]> {
  const { findMissing } = ctx.use('budget')
  const orphaned: BilledBudget[] = []
  for await (const batch of listBudgetsOf(ctx.db)) {
    const missing = new Set(
      (await findMissing(batch.map(({ clinic_id, budget_id }) => ({ clinic_id, id: budget_id })))).map(({ id }) => id)
    )
    orphaned.push(...batch.filter(({ budget_id }) => missing.has(budget_id)))
  }
  const findings = orphaned.slice(0, NAMED).map(({ id, number, budget_id, budget_number }) => ({
    code: 'invoice_without_budget',
    object: number ?? `invoice ${id}`,
    message: `Its budget ${budget_number} (${budget_id}) was deleted directly in the database.`,
    fix
  }))
  const more = orphaned.length - findings.length
  return more > 0
    ? [...findings, { code: 'invoice_without_budget', object: 'invoices', message: `And ${more} more.`, fix }]
    : findings
}
