import { isId, type Ctx } from '@svc/kit'
import { findTreatments, type TreatmentRow } from './db/treatments.ts'
import type { Texts } from './db/schema.ts'
import { listTreatments } from './services/list-treatments.ts'
import type { Treatment, TreatmentQuery } from '../shared/contract.ts'

export interface PricedTreatment {
  id: string
  code: string
  name: Texts
  description: Texts
  /** Minor units of the clinic's currency, without tax. */
  unit_price: bigint
  /** Hundredths of a percent. */
  vat: bigint
  active: boolean
}

/** What `ctx.use<Catalog>('catalog')` gives. */
export interface Catalog {
  /** Unknown, malformed and other clinics' ids are left out; the order is not the question's. */
  getTreatments(clinic_id: string, ids: string[]): Promise<PricedTreatment[]>
  listTreatments(clinic_id: string, query: TreatmentQuery): Promise<{ rows: Treatment[], total: number }>
}

export const createExports = (ctx: Ctx): Catalog => ({
  async getTreatments(clinic_id, ids) {
    const rows = await findTreatments(ctx.db, { clinic_id, ids: ids.filter(isId) })
    return rows.map(toPriced)
  },
  listTreatments: (clinic_id, query) => listTreatments(ctx, { ...query, clinic_id })
})

const toPriced = ({ id, code, name, description, unit_price, vat, active }: TreatmentRow): PricedTreatment =>
  ({ id, code, name, description, unit_price, vat: BigInt(vat), active })
