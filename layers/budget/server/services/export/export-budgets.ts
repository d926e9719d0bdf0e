import type { Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import type { ExportQuery, ListRow } from '../../../shared/contract.ts'
import { listPage, packBudgetIds } from '../../db/list.ts'
import { toRows } from '../staff-view/list-budgets.ts'

const COLUMNS = [
  'external_id',
  'number',
  'version',
  'status',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'professional_name',
  'currency',
  'total',
  'price_from',
  'price_to',
  'valid_until',
  'created_at',
  'sent_at',
  'viewed_at',
  'decided_at',
  'withdrawn_at',
  'channel',
  'delivery',
  'signed_pdf'
]

/** All budgets of the list. */
export async function exportBudgets(
  ctx: Ctx,
  { sort, locked, ...rest }: ExportQuery & { clinic_id: string }
): Promise<Csv> {
  const packed = await packBudgetIds(ctx.db, { ...rest, locked: locked && locked === 'true' }, sort)
  return { name: 'budgets', columns: COLUMNS, batches: readBatches(ctx, rest.clinic_id, sort, packed) }
}

async function* readBatches(ctx: Ctx, clinic_id: string, sort: ExportQuery['sort'], packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const rows = await listPage(ctx.db, { clinic_id, ids }, { sort, page: 1, page_size: ids.length })
    yield (await toRows(ctx, clinic_id, rows)).map(toCells)
  }
}

const toCells = (row: ListRow): (string | null)[] => [
  row.external_ids.import ?? null,
  row.number,
  String(row.version),
  row.status,
  row.patient.id,
  row.patient.first_name,
  row.patient.last_name,
  row.professional?.name ?? null,
  row.currency,
  row.total,
  row.price_from ?? null,
  row.price_to ?? null,
  row.valid_until,
  row.created_at,
  row.sent_at,
  row.viewed_at,
  row.decided_at,
  row.withdrawn_at,
  row.channel,
  row.delivery,
  row.signed_pdf.status
]
