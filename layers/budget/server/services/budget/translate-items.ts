import type { Ctx } from '@svc/kit'
import type { PricedTreatment } from '@svc/kit/modules/catalog'
import { hasText, type Texts } from '../../../shared/domain/texts.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import type { ItemRow } from '../../db/items.ts'
import { findTreatments } from './dependencies.ts'

type Line = Pick<ItemRow, 'name' | 'description'>

/** Whether the line's name, and its description if it has one, exist in this language. */
export const isTranslated = ({ name, description }: Line, locale: string): boolean =>
  hasText(name, locale) && (hasText(description, locale) || Object.values(description).every(text => text === ''))

/**
 * The lines of a budget. If a draft's line lacks the patient's language, translations that were added to the catalog
 * since are included, unless the treatment was renamed.
 */
export async function translateItems<Item extends Line & Pick<ItemRow, 'treatment_id'>>(
  ctx: Ctx,
  budget: Pick<BudgetRow, 'status' | 'locale' | 'clinic_id'>,
  items: Item[]
): Promise<Item[]> {
  const lacking = items.filter(item => !isTranslated(item, budget.locale))
  if (budget.status !== 'draft' || lacking.length === 0) return items
  const ids = [...new Set(lacking.map(({ treatment_id }) => treatment_id))]
  const treatments = new Map(
    (await findTreatments(ctx, budget.clinic_id, ids)).map(treatment => [treatment.id, treatment])
  )
  return items.map((item) => {
    const treatment = treatments.get(item.treatment_id)
    return treatment && isSame(item, treatment) ? { ...item, ...mergedTexts(item, treatment) } : item
  })
}

/** True if their names are the same in every language that both have. */
const isSame = ({ name }: Line, treatment: PricedTreatment): boolean =>
  Object.entries(name).some(([locale, text]) => treatment.name[locale] === text)
  && Object.entries(name).every(([locale, text]) => (treatment.name[locale] ?? text) === text)

const mergedTexts = (item: Line, { name, description }: PricedTreatment): Line => ({
  name: mergeTexts(item.name, name),
  description: mergeTexts(item.description, description)
})

const mergeTexts = (own: Texts, others: Texts): Texts => ({
  ...Object.fromEntries(Object.entries(others).filter(([, text]) => text !== '')),
  ...Object.fromEntries(Object.entries(own).filter(([, text]) => text !== ''))
})
