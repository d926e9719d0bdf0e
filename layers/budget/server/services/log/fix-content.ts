import type { Ctx, ModuleClause, Tx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import type { SentItem } from '../../db/items.ts'
import { settingsOf } from '../../settings.ts'
import { digestContent } from './content.ts'
import type { LogEntry } from './log-access.ts'
import { sentSeal } from './sent-seal.ts'

interface UnfixedContent { budget: BudgetRow, items: SentItem[], clauses: ModuleClause[] }

/**
 * Fixes the content as it is now, including the clinic's name, tooth notation and the modules' clauses. `columns` go
 * into the budget's row, `logged` into the log row of the sending.
 */
export async function fixContent(ctx: Ctx, tx: Tx, { budget: draft, items, clauses: given }: UnfixedContent) {
  const clauses = given.length > 0 ? given : null
  const budget = { ...draft, clauses }
  const { valid_until, expires_at, patient_first_name, patient_last_name, deciduous } = budget
  const { name: clinic_name } = await ctx.clinics.get(budget.clinic_id, tx)
  const { tooth_notation } = await settingsOf(ctx, budget.clinic_id, tx)
  const { digest } = digestContent({ ...budget, clinic_name, tooth_notation }, items, clinic_name)
  const sent_seal = sentSeal(ctx.secrets, { budget, items, digest })
  const logged: Pick<LogEntry, 'detail' | 'personal'> = {
    detail: { sent: sent_seal.toString('base64url') },
    personal: { content_digest: digest }
  }
  return {
    columns: {
      valid_until,
      expires_at,
      patient_first_name,
      patient_last_name,
      deciduous,
      clinic_name,
      tooth_notation,
      clauses,
      sent_seal
    },
    logged
  }
}
