import { problem, type Ctx } from '@svc/kit'
import { WRONG } from '@svc/kit/cells'
import { findPhoneFault, type PhoneFault } from './read-phone.ts'

/** Sentences that the screens translate. */
export const PHONE_FAULTS: Record<PhoneFault, string> = {
  form: WRONG.phone,
  short: WRONG.phone_short,
  long: WRONG.phone_long,
  length: WRONG.phone_length,
  code: WRONG.phone_code
}

/**
 * Throws `validation_failed` for a number that is impossible in its country, or in the clinic's country if it has no
 * code.
 */
export async function assertPhone(
  ctx: Ctx,
  { clinic_id, phone }: { clinic_id: string, phone: string | null | undefined }
): Promise<void> {
  if (phone === null || phone === undefined) return
  const fault = findPhoneFault(phone, (await ctx.clinics.get(clinic_id)).country)
  if (fault) throw problem('validation_failed', { errors: [{ pointer: '/phone', message: PHONE_FAULTS[fault] }] })
}
