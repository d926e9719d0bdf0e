import type { Ctx } from '@svc/kit'
import { clearHeld, listHeld } from '../../../db/attention.ts'
import { findPatient } from '../../budget/dependencies.ts'
import { hasMoved } from './sent-to.ts'

/** Budgets need no attention any more once the patient's address is again the one to which the link was sent. */
export async function releaseHeld(ctx: Ctx, clinic_id: string): Promise<void> {
  for (const { link, patient_id } of await listHeld(ctx.db, clinic_id)) {
    const patient = await findPatient(ctx, clinic_id, patient_id)
    if (patient?.email && !hasMoved(ctx, link, patient)) await clearHeld(ctx.db, link.budget_id)
  }
}
