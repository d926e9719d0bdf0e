const sources = shallowReactive(new Map<string, string[]>())

/**
 * The names of the events that a webhook can subscribe to. A module adds its own in its layer's `app/staff.ts`. Events
 * of modules that don't run are left out.
 */
export function useEventNames() {
  const { modules } = useSession()
  return {
    names: computed(() =>
      [...sources]
        .filter(([module]) => modules.value?.some(({ name }) => name === module))
        .flatMap(([, names]) => names)
    ),
    add: (module: string, names: string[]) => void sources.set(module, names)
  }
}
