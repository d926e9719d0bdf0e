import type { Ctx, Tx } from '@svc/kit'
import { parsePercent } from '@svc/kit/money'
import type { Counts } from '../../shared/contract.ts'
import { insertTreatment } from '../db/treatments.ts'
import treatments from './treatments.json' with { type: 'json' }
import { vatOf } from './vat.ts'

interface Start { clinic_id: string, catalogue: 'none' | 'starter', tx: Tx }

/** Common treatments in the clinic's language, without a price, and inactive until they have one. */
export async function startClinic(ctx: Ctx, { clinic_id, catalogue, tx }: Start): Promise<void> {
  if (catalogue !== 'starter') return
  const { locale, country } = await ctx.clinics.get(clinic_id, tx)
  const language = locale.split('-')[0] as keyof typeof treatments[number]['name']
  for (const { code, category, name, cosmetic = false, surfaces = null, ...rest } of treatments) {
    const counts = (rest.counts ?? 'tooth') as Counts
    const vat = Number(parsePercent(vatOf({ country, cosmetic })))
    const texts = { [language]: name[language] }
    await insertTreatment(tx, {
      clinic_id, code, category, vat, name: texts, unit_price: 0n, active: false, counts, surfaces
    })
  }
}
