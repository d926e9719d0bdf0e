import type { Ctx } from '@svc/kit'
import { macsOf } from './number-mac.ts'
import { readNumber } from './read-number.ts'

/** Empty for a patient without a mobile number, and for one whose data was erased before. */
export async function macsOfPatient(ctx: Ctx, { clinic_id, id }: { clinic_id: string, id: string }): Promise<Buffer[]> {
  const patient = await ctx.use('clinical').getPatient(clinic_id, id)
  const { country } = await ctx.clinics.get(clinic_id)
  const { number } = await readNumber(patient?.phone ?? null, country)
  return number === null ? [] : macsOf(ctx, number)
}
