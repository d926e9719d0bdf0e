const words = shallowReactive(new Map<string, string>())

/**
 * The texts for the effects (`ClinicEffect`) that a change of the clinic's settings has in modules, as translation keys
 * with a number `n`. A module adds its own in its layer's `app/staff.ts`. Effects without a text are shown by their
 * names.
 */
export function useClinicEffects() {
  return {
    add: (keys: Record<string, string>) => Object.entries(keys).forEach(([said, key]) => words.set(said, key)),
    find: (said: string) => words.get(said) ?? null
  }
}
