/**
 * Data that a page shows, fetched on entry and again whenever `watched` changes. A newer fetch aborts an older one.
 * After a failure the earlier data stays, beside the error. If the connection was lost, the data is fetched when it is
 * back.
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

  // Nobody asked for this fetch, so its failure must not move the focus.
  useReconnected(() => error.value?.code === 'unreachable' && load({ quietly: true }).catch(() => {}))
  onMounted(() => watch(watched, () => void load(), { immediate: true, deep: true }))
  onUnmounted(() => current?.abort())
  return { data, error, loading, load }
}
