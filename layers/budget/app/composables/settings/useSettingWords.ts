import { punctuationOf } from '@svc/kit/locale'
import { textIn } from '../../../shared/domain/texts.ts'
import { BY_CLINIC, type BudgetSettings, type OwnClause } from '../../../shared/settings.ts'

/** Values of this module's settings in words. */
export function useSettingWords() {
  const { t, locale } = useI18n()
  const nameOf = useChannelName()

  function remindersIn({ enabled, days, quiet_from, quiet_to }: BudgetSettings['reminders']): string {
    if (!enabled) return t('budget.reminders.off')
    const list = days.join(punctuationOf(locale.value).comma)
    return t('budget.reminders.summary', { days: list, from: quiet_from, to: quiet_to })
  }
  const clausesIn = (clauses: OwnClause[]) => clauses
    .map(({ title, text }) => `${textIn(title, locale.value)}: ${textIn(text, locale.value)}`)
    .join('\n')

  return (field: string, value: unknown): string => {
    if (field === 'tooth_notation') return t(`budget.notation.${String(value)}`)
    if (field === 'code_by') return value === BY_CLINIC ? t('budget.settings.code_by.clinic') : nameOf(String(value))
    if (field === 'clauses') return clausesIn(value as OwnClause[])
    if (typeof value === 'boolean') return t(value ? 'staff.clinic.on' : 'staff.clinic.off')
    return field === 'reminders' ? remindersIn(value as BudgetSettings['reminders']) : String(value)
  }
}
