import type { ClinicSettings, ClinicVeto, Ctx, Tx } from '@svc/kit'
import { exponent } from '@svc/kit/money'
import { hasPrices } from '../db/treatments.ts'

interface ClinicChange { clinic_id: string, change: ClinicSettings, tx: Tx }

/**
 * Prices are kept in minor units: between currencies with as many decimals they keep their figures, from JPY to EUR 100
 * would become 1.00.
 */
export async function beforeClinicChange(ctx: Ctx, { clinic_id, change, tx }: ClinicChange): Promise<ClinicVeto[]> {
  if (change.currency === undefined) return []
  const { currency } = await ctx.clinics.get(clinic_id, tx)
  if (exponent(currency) === exponent(change.currency) || !await hasPrices(tx, clinic_id)) return []
  const reason = `The currency stays as it is: the catalog has prices in ${currency}, which has other decimals than ${change.currency}.`
  return [{ field: 'currency', reason }]
}
