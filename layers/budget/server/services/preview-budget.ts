import { problem, type Ctx } from '@svc/kit'
import type { PatientView } from '../../shared/contract.ts'
import { findBudget, type BudgetKey } from '../db/budgets.ts'
import { listItems } from '../db/items.ts'
import { findSignature } from '../db/signatures.ts'
import { isId } from '../domain/id.ts'
import { patientView } from './patient-view.ts'

/** What the patient would see; stamps, logs and publishes nothing. Throws `not_found`. */
export async function previewBudget(ctx: Ctx, { locale, ...key }: BudgetKey & { locale: string | undefined }): Promise<PatientView> {
  const budget = isId(key.id) ? await findBudget(ctx.db, key) : null
  if (!budget) throw problem('not_found')
  const [items, decision, clinic, now] = await Promise.all([
    listItems(ctx.db, budget.id), findSignature(ctx.db, budget.id), ctx.clinics.get(budget.clinic_id), ctx.clock.now()
  ])
  return patientView({ budget, items, clinic, decision, now, locale })
}
