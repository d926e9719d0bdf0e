import type { ActionFacts, BudgetAction } from '../utils/budget-actions.ts'

const READS: BudgetAction[] = ['preview', 'pdf', 'signed_pdf']

/** Returns why an action can't be used now, as text. Null if it can. */
export function useActionReason(budget: () => ActionFacts) {
  const { t } = useI18n()
  const { can } = useSession()
  const codeChannel = useCodeChannel()

  return (action: BudgetAction): string | null => {
    const permission = READS.includes(action) ? 'budget.read' : 'budget.write'
    if (!can(permission)) return t('staff.denied', { permission })
    if (action === 'set_code' && codeChannel.value)
      return t('budget.detail.code.by_channel', { channel: codeChannel.value.label })
    const reason = reasonAgainst(action, budget())
    if (!reason) return null
    const other = budget().versions.find(({ status }) => status === (reason === 'other_draft' ? 'draft' : 'accepted'))
    return t(`budget.detail.reason.${reason}`, { version: other?.version ?? '' })
  }
}
