import type { OwnClause } from '../../../shared/settings.ts'

/** The clinic's own conditions. */
export function useOwnClauses() {
  const { moduleSettings } = usePreferences()
  return computed(() => (moduleSettings.value.budget?.clauses ?? []) as OwnClause[])
}
