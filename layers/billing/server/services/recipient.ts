import type { Ctx } from '@svc/kit'
import type { Recipient } from '../db/schema.ts'

/** What an invoice names of a patient besides the name, as the record has it now; null: there is no such patient. */
export async function findRecipient(ctx: Ctx, at: { clinic_id: string, id: string }): Promise<Recipient | null> {
  const patient = await ctx.use('clinical').getPatient(at.clinic_id, at.id)
  return patient && { tax_number: patient.tax_number, address: patient.address }
}
