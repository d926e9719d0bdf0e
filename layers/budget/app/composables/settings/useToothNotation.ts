import type { Notation } from '../../../shared/domain/teeth.ts'

/** The notation in which this clinic's staff read and type teeth. */
export function useToothNotation() {
  const { moduleSettings } = usePreferences()
  return computed(() => (moduleSettings.value.budget?.tooth_notation ?? 'fdi') as Notation)
}
