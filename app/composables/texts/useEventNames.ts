const sources = shallowReactive(new Map<string, string[]>())

/**
 * Names of events that a webhook can ask for. A module adds its own in `app/staff.ts` of its layer; those of modules
 * that do not run are left out.
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
