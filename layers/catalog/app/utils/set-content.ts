import type { SetRequest, TreatmentSet } from '../../shared/contract.ts'

/** What is written of a set, with the treatments that its lines name. */
export type SetContent = Pick<TreatmentSet, 'name' | 'items'>

export const toSetItems = (items: SetContent['items']): SetRequest['items'] =>
  items.map(({ treatment_id, quantity }) => ({ treatment_id, quantity }))

export const toSetRequest = ({ name, items }: SetContent): SetRequest => ({ name, items: toSetItems(items) })
