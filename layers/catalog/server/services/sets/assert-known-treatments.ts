import { problem, type Tx } from '@svc/kit'
import { findTreatments } from '../../db/treatments.ts'
import type { NewItem } from '../../db/sets.ts'

/** Throws `validation_failed` for treatments that the clinic does not have. Those that are not active may come back. */
export async function assertKnownTreatments(tx: Tx, clinic_id: string, items: readonly NewItem[]): Promise<void> {
  const ids = [...new Set(items.map(({ treatment_id }) => treatment_id))]
  const known = new Set((await findTreatments(tx, { clinic_id, ids })).map(({ id }) => id))
  const errors = items.flatMap(({ treatment_id }, index) =>
    known.has(treatment_id)
      ? []
      : [{ pointer: `/items/${index}/treatment_id`, message: 'There is no such treatment.' }]
  )
  if (errors.length > 0) throw problem('validation_failed', { errors })
}
