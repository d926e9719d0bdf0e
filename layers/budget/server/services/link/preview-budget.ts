import type { Ctx } from '@svc/kit'
import type { PatientView } from '../../../shared/contract.ts'
import type { BudgetKey } from '../../db/budgets.ts'
import { listItems } from '../../db/items.ts'
import { findSignature } from '../../db/signatures.ts'
import { notationOf } from '../../settings.ts'
import { withClauses } from '../budget/collect-clauses.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { translateItems } from '../budget/translate-items.ts'
import { patientView } from '../budget/patient-view.ts'
import { contentAsSent } from '../log/sent-seal.ts'

/**
 * What the patient would see; writes, logs and publishes nothing. Throws `not_found`, `content_tampered`, and for a
 * draft the problems of `collectClauses`.
 */
export async function previewBudget(
  ctx: Ctx,
  { locale, ...key }: BudgetKey & { locale: string | undefined }
): Promise<PatientView> {
  const budget = await withClauses(ctx, await getStaffBudget(ctx.db, key))
  const [items, decision, clinic, notation, now] = await Promise.all([
    listItems(ctx.db, budget.id).then(items => translateItems(ctx, budget, items)),
    findSignature(ctx.db, budget.id),
    ctx.clinics.get(budget.clinic_id),
    notationOf(ctx, budget),
    ctx.clock.now()
  ])
  const { digest } = contentAsSent(ctx, { budget, items, clinic })
  return patientView({ budget, items, clinic, notation, decision, digest, now, locale })
}
