import type { ClinicEffect, ClinicSettings, Ctx, Tx } from '@svc/kit'
import { convertPrices } from '../db/convert-prices.ts'

interface Done { clinic_id: string, change: ClinicSettings, tx: Tx }

/** The catalog's prices are in the clinic's mode. Budgets keep the mode that they were created in. */
export async function afterClinicChange(_ctx: Ctx, { clinic_id, change, tx }: Done): Promise<ClinicEffect[]> {
  const { prices_include_tax } = change
  if (prices_include_tax === undefined) return []
  const count = await convertPrices(tx, { clinic_id, to_include_tax: prices_include_tax })
  return [{ field: 'prices_include_tax', what: 'converted prices of treatments', count }]
}
