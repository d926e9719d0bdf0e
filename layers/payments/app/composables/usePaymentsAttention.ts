/** The payments that need the staff's attention. */
export function usePaymentsAttention() {
  const { t } = useI18n()
  const payments = usePaymentsApi()
  const { money } = useFormat()
  const { sorted } = usePersonName()

  return async (signal: AbortSignal): Promise<AttentionKind[]> => {
    const { data: { total, requests } } = await payments.listAttention(signal)
    return [{
      label: t('payments.navigation.payments'),
      icon: 'i-lucide-credit-card',
      total,
      to: { path: '/payments', query: { attention: 'true' } },
      entries: requests.map(({ id, patient, amount, currency, budget, invoice, attention }) => ({
        id,
        to: `/payments/${id}`,
        label: sorted(patient),
        value: money(amount, currency),
        hint: (invoice ?? budget).number,
        note: attention.map(kind => t(`payments.attention.${kind}`)).join(' · ')
      }))
    }]
  }
}
