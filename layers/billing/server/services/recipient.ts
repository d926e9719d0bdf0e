import type { Ctx } from '@svc/kit'
import type { Recipient } from '../db/schema.ts'

/** The patient's current details for an invoice, besides the name. Null if the patient doesn't exist. */
export async function findRecipient(ctx: Ctx, at: { clinic_id: string, id: string }): Promise<Recipient | null> {
  const patient = await ctx.use('clinical').getPatient(at.clinic_id, at.id)
  return patient && { tax_number: patient.tax_number, address: patient.address }
}
