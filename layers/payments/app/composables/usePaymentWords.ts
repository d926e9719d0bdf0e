import type { RequestRow } from '../../shared/contract.ts'
import type { ProviderName } from '../../shared/settings.ts'

/** Names that are the same in every language. */
const NAMES = { stripe: 'Stripe', mollie: 'Mollie', redsys: 'Redsys' }

/** Names and values of payments in words. */
export function usePaymentWords() {
  const { t } = useI18n()
  return {
    /** What the money is for: the deposit of a budget, or an invoice. */
    purposeOf: ({ kind, budget, invoice }: Pick<RequestRow, 'kind' | 'budget' | 'invoice'>) =>
      kind === 'deposit'
        ? t('payments.purpose.deposit', { number: budget.number })
        : t('payments.purpose.invoice', { number: invoice?.number ?? budget.number }),
    providerName: (provider: ProviderName | 'manual') =>
      provider === 'transfer' || provider === 'manual' ? t(`payments.provider.${provider}`) : NAMES[provider]
  }
}
