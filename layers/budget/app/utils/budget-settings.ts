import type { BudgetSettings } from '../../shared/settings.ts'

/** The values of the settings' form, in which numbers may be empty. */
export type BudgetSettingsForm = Omit<BudgetSettings, 'budget_validity_days' | 'reminders'> & {
  budget_validity_days: number | undefined
  reminders: Omit<BudgetSettings['reminders'], 'days'> & { days: (number | null)[] }
}

/** An emptied number becomes an empty text, because a missing one would mean "unchanged". Empty days are left out. */
export const toBudgetSettings = (form: BudgetSettingsForm) => ({
  ...form,
  budget_validity_days: form.budget_validity_days ?? '',
  reminders: { ...form.reminders, days: form.reminders.days.filter(day => day !== null) }
})
