import type { Ctx } from '@svc/kit'
import type { TreatmentSet } from '../../../shared/contract.ts'
import { listSetItems, type SetRow } from '../../db/sets.ts'
import { findTreatments } from '../../db/treatments.ts'
import { toTreatment } from '../views.ts'

export interface VersionedSet { version: number, set: TreatmentSet }

/** With their treatments as they are today. */
export async function viewSets(ctx: Ctx, clinic_id: string, rows: readonly SetRow[]): Promise<TreatmentSet[]> {
  const [clinic, items] = await Promise.all([
    ctx.clinics.get(clinic_id),
    listSetItems(ctx.db, rows.map(({ id }) => id))
  ])
  const ids = [...new Set(items.map(({ treatment_id }) => treatment_id))]
  const treatments = new Map(
    (await findTreatments(ctx.db, { clinic_id, ids })).map(row => [row.id, toTreatment(row, clinic)])
  )
  const bySet = Map.groupBy(items, ({ set_id }) => set_id)
  return rows.map(({ id, name, created_at, updated_at }) => ({
    id,
    name,
    items: (bySet.get(id) ?? []).flatMap(({ treatment_id, quantity }) => {
      const treatment = treatments.get(treatment_id)
      return treatment ? [{ treatment_id, quantity, treatment }] : []
    }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString()
  }))
}

export async function viewSet(ctx: Ctx, row: SetRow): Promise<VersionedSet> {
  const [set] = await viewSets(ctx, row.clinic_id, [row])
  return { version: row.version, set: set! }
}
