/**
 * Search while typing, for menus: searches 200 ms after the last key, and ignores responses to older searches. Until
 * the response comes, the earlier results stay and `stale` is true: they must not be selectable, or a fast Enter would
 * select a wrong entry. `look` searches at once, for a menu that opens.
 */
export function useFinder<T>(find: (search: string, signal: AbortSignal) => Promise<T[]>) {
  const term = ref('')
  const found = shallowRef<T[]>([])
  const searching = ref(false)
  const answered = ref<string | null>(null)
  const stale = computed(() => term.value.trim() !== answered.value)
  const error = shallowRef<ApiError | null>(null)
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  async function look() {
    clearTimeout(timer)
    current?.abort()
    const mine = current = new AbortController()
    searching.value = true
    const asked = term.value.trim()
    try {
      const answer = await find(asked, mine.signal)
      if (mine.signal.aborted) return
      found.value = answer
      answered.value = asked
      error.value = null
    } catch (thrown) {
      if (!mine.signal.aborted) error.value = toApiError(thrown)
    } finally {
      if (!mine.signal.aborted) searching.value = false
    }
  }

  watch(term, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), 200)
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    current?.abort()
  })
  return { term, found, stale, searching, error, look }
}
