import { BY_CLINIC, type BudgetSettings } from '../../../shared/settings.ts'

/** The channel that brings patients every code; null while the clinic's own codes open budgets, as without its module. */
export function useCodeChannel() {
  const { moduleSettings } = usePreferences()
  const { nameOf, isMissing } = useChannelNames()
  return computed(() => {
    const { code_by = BY_CLINIC, code_by_only = false } = (moduleSettings.value.budget ?? {}) as Partial<BudgetSettings>
    return code_by !== BY_CLINIC && code_by_only && !isMissing(code_by) ? { name: code_by, label: nameOf(code_by) } : null
  })
}
