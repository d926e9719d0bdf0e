const words = shallowReactive(new Map<string, string>([
  ['words in events', 'staff.erasure.events'],
  ['words in jobs', 'staff.erasure.jobs'],
  ['errors of deliveries', 'staff.erasure.errors'],
  ['files to import', 'staff.erasure.imports'],
  ['answers to webhooks', 'staff.erasure.answers']
]))

/**
 * What modules say in the report of an erasure, as keys of translations. A module adds its own in `app/staff.ts` of
 * its layer; unknown words are shown as they are.
 */
export function useErasureWords() {
  return {
    add: (keys: Record<string, string>) => Object.entries(keys).forEach(([said, key]) => words.set(said, key)),
    find: (said: string) => words.get(said) ?? null
  }
}
