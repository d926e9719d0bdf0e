import type { SetRequest, TreatmentSet } from '../../shared/contract.ts'

/** The editable content of a set, with the treatments of its lines. */
export type SetContent = Pick<TreatmentSet, 'name' | 'items'>

export const toSetItems = (items: SetContent['items']): SetRequest['items'] =>
  items.map(({ treatment_id, quantity }) => ({ treatment_id, quantity }))

export const toSetRequest = ({ name, items }: SetContent): SetRequest => ({ name, items: toSetItems(items) })
