import { BY_CLINIC, type BudgetSettings } from '../../../shared/settings.ts'

/** The channel that brings patients every code; null while the clinic's own codes open budgets. */
export function useCodeChannel() {
  const { moduleSettings } = usePreferences()
  const { nameOf, isMissing } = useChannelNames()
  return computed(() => {
    const { code_by = BY_CLINIC, code_by_only = false } = (moduleSettings.value.budget ?? {}) as Partial<BudgetSettings>
    if (code_by === BY_CLINIC || !code_by_only || isMissing(code_by)) return null
    return { name: code_by, label: nameOf(code_by) }
  })
}
