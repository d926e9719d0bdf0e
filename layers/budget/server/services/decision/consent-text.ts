import { displayMoney } from '@svc/kit/money'
import type { ShownBudget } from '../../db/budgets.ts'
import { labelsFor } from '../../pdf/labels.ts'

/** The sentence that the patient agrees to, with the page's words: a price, not a treatment. */
export function consentText(
  { clinic_name: sentBy, total, currency }: Pick<ShownBudget, 'clinic_name' | 'total' | 'currency'>,
  { locale, clinic_name }: { locale: string, /** The clinic's current name. */ clinic_name: string }
): string {
  const { labels, format_locale } = labelsFor(locale)
  return labels.consent(sentBy ?? clinic_name, displayMoney(total, currency, format_locale))
}
