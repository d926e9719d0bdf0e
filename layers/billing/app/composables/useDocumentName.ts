import type { InvoiceRow } from '../../shared/contract.ts'

/** Returns the name of an invoice or credit note: its number, or what it is a draft of. */
export function useDocumentName() {
  const { t } = useI18n()
  return ({ number, credits, budget }: Pick<InvoiceRow, 'number' | 'credits' | 'budget'>) => {
    if (number !== null) return number
    return credits
      ? t('billing.credit.draft_of', { number: credits.number })
      : t('billing.invoice.draft_of', { budget: budget.number })
  }
}
