import type { Clinic, Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import { LANGUAGES, type TreatmentExportQuery } from '../../shared/contract.ts'
import { findTreatments, packTreatmentIds, type TreatmentRow } from '../db/treatments.ts'
import { toBoolean } from './list-treatments.ts'
import { toTreatment } from './views.ts'

/** As the import names them: texts in each language. */
const COLUMNS = [
  'external_id',
  'code',
  ...LANGUAGES.map(language => `name_${language}`),
  ...LANGUAGES.map(language => `description_${language}`),
  'category',
  'unit_price',
  'vat',
  'active',
  'counts',
  'surfaces'
]

/** All of the list as a file that can be imported again. Prices are with or without tax, as the clinic types them. */
export async function exportTreatments(
  ctx: Ctx,
  { active, priced, ...at }: TreatmentExportQuery & { clinic_id: string }
): Promise<Csv> {
  const clinic = await ctx.clinics.get(at.clinic_id)
  const packed = await packTreatmentIds(ctx.db, { ...at, active: toBoolean(active), priced: toBoolean(priced) })
  return { name: 'treatments', columns: COLUMNS, batches: readBatches(ctx, clinic, packed) }
}

async function* readBatches(ctx: Ctx, clinic: Clinic, packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const rows = new Map((await findTreatments(ctx.db, { clinic_id: clinic.id, ids })).map(row => [row.id, row]))
    yield ids.flatMap(id => rows.get(id) ?? []).map(row => toCells(row, clinic))
  }
}

function toCells(row: TreatmentRow, clinic: Clinic): (string | null)[] {
  const { external_ids, code, name, description, category, unit_price, vat, active, ...rest } = toTreatment(row, clinic)
  const inLanguages = (texts: Record<string, string>) => LANGUAGES.map(language => texts[language] ?? null)
  const texts = [...inLanguages(name), ...inLanguages(description)]
  const counting = [rest.counts, rest.surfaces === null ? null : String(rest.surfaces)]
  return [external_ids.import ?? null, code, ...texts, category, unit_price, vat, String(active), ...counting]
}
