/**
 * A list's search, filters, order and page. They are kept in the URL, so that the list can be shared, reloaded and
 * returned to.
 */
export function useListState(defaults: { sort?: string } = {}) {
  const route = useRoute()
  const router = useRouter()
  const one = (name: string) => [route.query[name]].flat()[0] ?? undefined
  const many = (name: string) => [route.query[name]].flat().filter(value => typeof value === 'string')

  /** Sets parameters. Undefined or '' removes one. Unless the page itself is set, the list goes back to page 1. */
  function set(change: Record<string, string | string[] | undefined>) {
    const next = { ...route.query, ...('page' in change ? {} : { page: undefined }), ...change }
    const query = Object.fromEntries(
      Object.entries(next).filter(
        ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
      )
    )
    return router.replace({ query, hash: route.hash })
  }

  const page = computed(() => Math.max(1, Number.parseInt(one('page') ?? '1') || 1))
  const sort = computed(() => one('sort') ?? defaults.sort ?? '')
  const search = computed(() => one('search') ?? '')
  return {
    one, many, set, page, sort, search,
    toPage: (to: number) => set({ page: to > 1 ? String(to) : undefined }),
    /** The list is fetched again when this value changes. */
    key: () => route.query
  }
}
