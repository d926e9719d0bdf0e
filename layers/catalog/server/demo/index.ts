import { parseMoney, formatMoney, exponent } from '@svc/kit/money'
import type { Ctx } from '@svc/kit'
import { createTreatment } from '../services/create-treatment.ts'
import { listTreatments } from '../services/list-treatments.ts'
import { TREATMENTS } from './treatments.ts'

/** Treatments of a demo clinic. Codes that are there already stay as somebody left them. */
export async function fillDemo(ctx: Ctx, { clinic_id }: { clinic_id: string }): Promise<void> {
  const { currency } = await ctx.clinics.get(clinic_id)
  const { rows } = await listTreatments(ctx, { clinic_id, page: 1, page_size: 100 })
  const codes = new Set(rows.map(row => row.code))
  for (const treatment of TREATMENTS) {
    if (!codes.has(treatment.code))
      await createTreatment(ctx, {
        ...treatment,
        unit_price: inDigitsOf(currency, treatment.unit_price),
        clinic_id,
        user_id: null
      })
  }
}

/** The prices are written with two digits; a yen has none. */
function inDigitsOf(currency: string, price: string): string {
  const cents = parseMoney(price, 'EUR')!
  const digits = exponent(currency)
  return formatMoney(digits < 2 ? cents / 10n ** BigInt(2 - digits) : cents * 10n ** BigInt(digits - 2), currency)
}
