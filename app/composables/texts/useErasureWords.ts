const words = shallowReactive(new Map<string, string>([
  ['words in events', 'staff.erasure.events'],
  ['words in jobs', 'staff.erasure.jobs'],
  ['errors of deliveries', 'staff.erasure.errors'],
  ['files to import', 'staff.erasure.imports'],
  ['answers to webhooks', 'staff.erasure.answers']
]))

/**
 * The texts for the facts that modules report about an erasure, as translation keys. A module adds its own in its
 * layer's `app/staff.ts`. Facts without a text are shown by their names.
 */
export function useErasureWords() {
  return {
    add: (keys: Record<string, string>) => Object.entries(keys).forEach(([said, key]) => words.set(said, key)),
    find: (said: string) => words.get(said) ?? null
  }
}
