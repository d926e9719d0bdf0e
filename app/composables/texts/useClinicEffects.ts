const words = shallowReactive(new Map<string, string>())

/**
 * What modules say that a change of the clinic's settings does (`ClinicEffect`), as keys of translations with a number
 * `n`. A module adds its own in `app/staff.ts` of its layer; unknown words are shown as they are.
 */
export function useClinicEffects() {
  return {
    add: (keys: Record<string, string>) => Object.entries(keys).forEach(([said, key]) => words.set(said, key)),
    find: (said: string) => words.get(said) ?? null
  }
}
