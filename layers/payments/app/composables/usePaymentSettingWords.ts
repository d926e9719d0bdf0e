import type { PaymentSettings } from '../../shared/settings.ts'

/** Values of this module's settings in words. */
export function usePaymentSettingWords() {
  const { t } = useI18n()
  const { money } = useFormat()
  const { providerName } = usePaymentWords()
  return (field: string, value: unknown): string => {
    if (typeof value === 'object' && value !== null) return t('staff.clinic.secret.set')
    if (value === null || value === undefined) return '–'
    if (field === 'provider') return providerName(value as PaymentSettings['provider'])
    if (field === 'mode') return t(`payments.settings.mode.${value as PaymentSettings['mode']}`)
    if (field === 'deposit') return t(`payments.settings.deposit.${value as PaymentSettings['deposit']}`)
    return field === 'deposit_amount' || field === 'deposit_from' ? money(String(value)) : String(value)
  }
}

/** What is wrong with a setting that has a format of its own, by its name. */
export function usePaymentSettingMessages() {
  const { t } = useI18n()
  const { me } = useSession()
  return () => {
    const amount = t('field.amount', { currency: me.value!.clinic!.currency })
    return {
      iban: t('payments.settings.iban.invalid'),
      bic: t('payments.settings.bic.invalid'),
      deposit_percent: t('payments.settings.deposit_percent.invalid'),
      deposit_amount: amount,
      deposit_from: amount,
      redsys_merchant: t('payments.settings.digits'),
      redsys_terminal: t('payments.settings.digits')
    }
  }
}
