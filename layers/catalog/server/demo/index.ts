import { convertPrice, exponent, formatMoney, parseMoney, parsePercent } from '@svc/kit/money'
import type { Clinic, Ctx } from '@svc/kit'
import { createTreatment } from '../services/create-treatment.ts'
import { listTreatments } from '../services/list-treatments.ts'
import { TREATMENTS } from './treatments.ts'

/** Treatments of a demo clinic. Codes that exist already stay unchanged. */
export async function fillDemo(ctx: Ctx, { clinic_id }: { clinic_id: string }): Promise<void> {
  const clinic = await ctx.clinics.get(clinic_id)
  const { rows } = await listTreatments(ctx, { clinic_id, page: 1, page_size: 100 })
  const codes = new Set(rows.map(row => row.code))
  for (const treatment of TREATMENTS) {
    if (!codes.has(treatment.code))
      await createTreatment(ctx, {
        ...treatment,
        unit_price: priceIn(clinic, treatment),
        clinic_id,
        user_id: null
      })
  }
}

/** The prices are written with tax and two digits; a yen has none. */
function priceIn(
  { currency, prices_include_tax: to_include_tax }: Clinic,
  { unit_price, vat }: (typeof TREATMENTS)[number]
): string {
  const written = parseMoney(unit_price, 'EUR')!
  const cents = to_include_tax ? written : convertPrice(written, { vat: parsePercent(vat)!, to_include_tax })
  const digits = exponent(currency)
  return formatMoney(digits < 2 ? cents / 10n ** BigInt(2 - digits) : cents * 10n ** BigInt(digits - 2), currency)
}
