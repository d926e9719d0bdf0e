import { problem, type Ctx } from '@svc/kit'
import type { Treatment, TreatmentRequest } from '../../shared/contract.ts'
import { insertTreatment } from '../db/treatments.ts'
import { readFields } from './read-fields.ts'
import { toTreatment } from './views.ts'

type Input = TreatmentRequest & { clinic_id: string, user_id: string | null }
export interface Versioned { version: number, treatment: Treatment }

/** Throws `code_taken`, and what reading the fields throws. */
export async function createTreatment(ctx: Ctx, { clinic_id, user_id, ...request }: Input): Promise<Versioned> {
  const { currency } = await ctx.clinics.get(clinic_id)
  const { unit_price = 0n, vat = 0, ...fields } = await readFields(ctx, request, currency)
  const row = await insertTreatment(ctx.db, {
    ...fields,
    unit_price,
    vat,
    clinic_id,
    created_by: user_id,
    updated_by: user_id
  })
  if (!row) throw problem('code_taken')
  return { version: row.version, treatment: toTreatment(row, currency) }
}
