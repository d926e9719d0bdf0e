import { isId, type Clinic, type Ctx } from '@svc/kit'
import type { Catalog, PricedTreatment } from '@svc/kit/modules/catalog'
import { findTreatments, type TreatmentRow } from './db/treatments.ts'
import { listTreatments } from './services/list-treatments.ts'
import { putTreatment } from './services/put-treatment.ts'
import { TreatmentRequest } from '../shared/contract.ts'

export const createExports = (ctx: Ctx): Catalog => ({
  async getTreatments(clinic_id, ids) {
    // One snapshot, so that the mode is that of the prices.
    return await ctx.db.transaction(async (tx) => {
      const clinic = await ctx.clinics.get(clinic_id, tx)
      const rows = await findTreatments(tx, { clinic_id, ids: ids.filter(isId) })
      return rows.map(row => toPriced(row, clinic))
    }, { isolationLevel: 'repeatable read', accessMode: 'read only' })
  },
  listTreatments: (clinic_id, query) => listTreatments(ctx, { ...query, clinic_id }),
  async upsertTreatment(clinic_id, params, fields) {
    const body = TreatmentRequest.parse(fields)
    const by = { clinic_id, user_id: null, who: MODULE }
    const { record } = await putTreatment(ctx, { ...by, params, if_match: undefined, body })
    return record.treatment
  }
})

/** Called by another module, without a user. */
const MODULE = { actor: { type: 'system' as const, id: null, name: 'module' } }

const toPriced = (
  { id, code, name, description, unit_price, vat, active }: TreatmentRow,
  { prices_include_tax }: Clinic
): PricedTreatment => ({ id, code, name, description, unit_price, prices_include_tax, vat: BigInt(vat), active })
