import type { Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import type { AdvanceExportQuery, AdvanceRow } from '../../../shared/contract.ts'
import { findAdvances, packAdvanceIds } from '../../db/advance-list.ts'
import { toFilter } from './list-advances.ts'
import { toAdvanceRow } from './view-advance.ts'

const COLUMNS = [
  'number',
  'status',
  'budget_number',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'currency',
  'amount',
  'applied',
  'returned',
  'balance',
  'method',
  'reference',
  'note',
  'paid_at',
  'created_at'
]

/** All advances that the filters match, in the list's order. */
export async function exportAdvances(
  ctx: Ctx,
  { sort, ...query }: AdvanceExportQuery & { clinic_id: string }
): Promise<Csv> {
  const filter = await toFilter(ctx, query)
  const packed = filter ? await packAdvanceIds(ctx.db, filter, sort) : new Uint8Array()
  return { name: 'advances', columns: COLUMNS, batches: readBatches(ctx, query.clinic_id, packed) }
}

async function* readBatches(ctx: Ctx, clinic_id: string, packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const rows = new Map((await findAdvances(ctx.db, { clinic_id, ids })).map(row => [row.id, toAdvanceRow(row)]))
    yield ids.flatMap(id => rows.get(id) ?? []).map(toCells)
  }
}

const toCells = (row: AdvanceRow): (string | null)[] => [
  row.number,
  row.status,
  row.budget.number,
  row.patient.id,
  row.patient.first_name,
  row.patient.last_name,
  row.currency,
  row.amount,
  row.applied,
  row.returned,
  row.balance,
  row.method,
  row.reference,
  row.note,
  row.paid_at,
  row.created_at
]
