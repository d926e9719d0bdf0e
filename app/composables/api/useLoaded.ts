/**
 * Something that a page shows: fetched on entry and again whenever what it hangs on changes. A newer fetch overtakes
 * an older one; after a failure what was shown stays, beside the error. What a lost connection kept from it is fetched
 * when that is back.
 */
export function useLoaded<T>(fetch: (signal: AbortSignal) => Promise<T>, watched: () => unknown = () => null) {
  const data = shallowRef<T | null>(null)
  const error = shallowRef<ApiError | null>(null)
  const loading = ref(true)
  let current: AbortController | undefined

  async function load({ quietly = false } = {}) {
    current?.abort()
    const mine = current = new AbortController()
    if (!quietly) loading.value = true
    try {
      const found = await fetch(mine.signal)
      if (mine.signal.aborted) return
      data.value = found
      error.value = null
    } catch (thrown) {
      if (mine.signal.aborted) return
      const failure = toApiError(thrown)
      failure.quiet = quietly
      error.value = failure
      if (quietly) throw thrown
    } finally {
      if (!mine.signal.aborted) loading.value = false
    }
  }

  // The page asked by itself, so another failure leaves the focus where it is.
  useReconnected(() => error.value?.code === 'unreachable' && load({ quietly: true }).catch(() => {}))
  onMounted(() => watch(watched, () => void load(), { immediate: true, deep: true }))
  onUnmounted(() => current?.abort())
  return { data, error, loading, load }
}
