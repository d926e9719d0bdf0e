import type { Ctx } from '@svc/kit'
import { clearHeld, listHeld } from '../../../db/attention.ts'
import { findChannel } from '../../budget/channels.ts'
import { findPatient } from '../../budget/dependencies.ts'
import { hasMoved } from './sent-to.ts'

/** Budgets need no attention any more once the patient's address is again the one to which the link was sent. */
export async function releaseHeld(ctx: Ctx, clinic_id: string): Promise<void> {
  for (const { link, patient_id } of await listHeld(ctx.db, clinic_id)) {
    const patient = await findPatient(ctx, clinic_id, patient_id)
    const found = link.channel && await findChannel(ctx, link.channel, { clinic_id, patient })
    if (!patient || !found || !found.address) continue
    const addressee = { channel: found.name, to: found.address, updated_at: patient.updated_at }
    if (!await hasMoved(ctx, ctx.db, link, addressee)) await clearHeld(ctx.db, link.budget_id)
  }
}
