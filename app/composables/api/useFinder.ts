/**
 * Search as one types, for menus: asks a moment after the last key, and the newest answer counts. What was found before
 * stays until then, `stale`: it must not be taken, or a fast Enter takes someone else. `look` asks at once, for a menu
 * that opens.
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
