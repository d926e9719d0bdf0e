import { punctuationOf } from '@svc/kit/locale'
import type { BudgetSettings } from '../../shared/settings.ts'

/** Values of this module's settings in words. */
export function useSettingWords() {
  const { t, locale } = useI18n()

  function remindersIn({ enabled, days, quiet_from, quiet_to }: BudgetSettings['reminders']): string {
    if (!enabled) return t('budget.reminders.off')
    const list = days.join(punctuationOf(locale.value).comma)
    return t('budget.reminders.summary', { days: list, from: quiet_from, to: quiet_to })
  }
  return (field: string, value: unknown): string => {
    if (field === 'tooth_notation') return t(`budget.notation.${String(value)}`)
    return field === 'reminders' ? remindersIn(value as BudgetSettings['reminders']) : String(value)
  }
}
