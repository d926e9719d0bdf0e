import type { Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import type { PatientExportQuery } from '../../shared/contract.ts'
import { findPatients, packPatientIds, type PatientRow } from '../db/patients.ts'

/** The names that the import uses. */
const COLUMNS = [
  'external_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'date_of_birth',
  'locale',
  'tax_number',
  'address',
  'notes'
] as const

/** All patients of the list, as a file that can be imported again. */
export async function exportPatients(ctx: Ctx, filter: PatientExportQuery & { clinic_id: string }): Promise<Csv> {
  const packed = await packPatientIds(ctx.db, filter)
  return { name: 'patients', columns: COLUMNS, batches: readBatches(ctx, filter.clinic_id, packed) }
}

async function* readBatches(ctx: Ctx, clinic_id: string, packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const rows = new Map((await findPatients(ctx.db, { clinic_id, ids })).map(row => [row.id, row]))
    yield ids.flatMap(id => rows.get(id) ?? []).map(toCells)
  }
}

function toCells(row: PatientRow): (string | null)[] {
  const cells = { ...row, external_id: row.external_ids.import ?? null }
  return COLUMNS.map(column => cells[column])
}
