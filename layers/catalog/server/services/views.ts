import type { Clinic } from '@svc/kit'
import { formatMoney, formatPercent } from '@svc/kit/money'
import type { Treatment } from '../../shared/contract.ts'
import type { TreatmentRow } from '../db/treatments.ts'

export const toTreatment = (row: TreatmentRow, { currency, prices_include_tax }: Clinic): Treatment => ({
  id: row.id,
  code: row.code,
  name: row.name,
  description: row.description,
  category: row.category,
  unit_price: formatMoney(row.unit_price, currency),
  ...prices_include_tax ? { prices_include_tax } : {},
  vat: formatPercent(BigInt(row.vat)),
  active: row.active,
  counts: row.counts,
  surfaces: row.surfaces,
  external_ids: row.external_ids,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})
