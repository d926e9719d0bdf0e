import { convertPrice, exponent, formatMoney, parseMoney, parsePercent } from '@svc/kit/money'
import type { Clinic, Ctx } from '@svc/kit'
import { createTreatment } from '../services/create-treatment.ts'
import { listTreatments } from '../services/list-treatments.ts'
import { createSet } from '../services/sets/create-set.ts'
import { listSets } from '../services/sets/list-sets.ts'
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
  await addSet(ctx, clinic)
}

const SET = { codes: ['DIA-01', 'DIA-02', 'PRE-01'], en: 'First visit with cleaning', es: 'Primera visita con limpieza' }

/** What is often added together. */
async function addSet(ctx: Ctx, clinic: Clinic): Promise<void> {
  const name = clinic.locale.startsWith('es') ? SET.es : SET.en
  const { total } = await listSets(ctx, { clinic_id: clinic.id, search: name, page: 1, page_size: 1 })
  const { rows } = await listTreatments(ctx, { clinic_id: clinic.id, page: 1, page_size: 100 })
  const items = SET.codes.flatMap((code) => {
    const found = rows.find(row => row.code === code)
    return found ? [{ treatment_id: found.id, quantity: 1 }] : []
  })
  if (total === 0 && items.length > 0) await createSet(ctx, { clinic_id: clinic.id, user_id: null, name, items })
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
