import { problem, type Ctx, type Tx } from '@svc/kit'
import { parseMoney } from '@svc/kit/money'
import { dayIn } from '../../shared/domain/calendar.ts'

/** In minor units. Throws `validation_failed`. */
export function readAmount(text: string, currency: string, pointer = '/amount'): bigint {
  const amount = parseMoney(text, currency)
  if (amount === null) throw invalid(pointer, `Has more decimals than ${currency}.`)
  if (amount === 0n) throw invalid(pointer, 'Must be more than zero.')
  return amount
}

/** The current time if omitted. Throws `validation_failed` for a day after today in the clinic's zone. */
export async function readPaidAt(
  ctx: Ctx,
  tx: Tx,
  clinic_id: string,
  paid_at: string | null | undefined
): Promise<Date> {
  const now = await ctx.clock.now(tx)
  if (!paid_at) return now
  const { time_zone } = await ctx.clinics.get(clinic_id, tx)
  const at = new Date(paid_at)
  if (dayIn(time_zone, at) > dayIn(time_zone, now)) throw invalid('/paid_at', 'Must not be after today.')
  return at
}

export const invalid = (pointer: string, message: string) =>
  problem('validation_failed', { errors: [{ pointer, message }] })
