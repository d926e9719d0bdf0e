import { ATTENTION } from '../../shared/contract.ts'

const ICONS = {
  question: 'i-lucide-message-circle-question',
  expiring: 'i-lucide-clock',
  locked: 'i-lucide-lock',
  undelivered: 'i-lucide-mail-x',
  pdf_pending: 'i-lucide-file-clock',
  withdrawn_invoiced: 'i-lucide-undo-2',
  withdrawn_paid: 'i-lucide-hand-coins'
}

/** The budgets that need the staff's attention. */
export function useBudgetAttention() {
  const { t } = useI18n()
  const api = useBudgetApi()
  const { day, money } = useFormat()
  const { sorted } = usePersonName()

  return async (signal: AbortSignal): Promise<AttentionKind[]> => {
    const { data } = await api.listAttention(signal)
    return ATTENTION.map(kind => ({
      label: t(`budget.attention.${kind}`),
      icon: ICONS[kind],
      total: data[kind].total,
      to: { path: '/budgets', query: { attention: kind } },
      entries: data[kind].budgets.map(({ id, number, patient, total, currency, valid_until }) => ({
        id,
        to: `/budgets/${id}`,
        label: sorted(patient),
        value: money(total, currency),
        hint: number,
        note: kind === 'expiring' && valid_until ? t('budget.attention.until', { day: day(valid_until) }) : undefined
      }))
    }))
  }
}
