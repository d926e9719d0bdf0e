/**
 * Calls `look` every so often while the page is seen and online, and at once when it is seen again. One call at a time.
 */
export function useLive(look: () => Promise<unknown>, seconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false

  async function turn() {
    clearTimeout(timer)
    if (busy) return
    busy = true
    // The next turn tries again; what is shown stays.
    if (document.visibilityState === 'visible') await look().catch(() => {})
    busy = false
    timer = setTimeout(turn, seconds * 1000)
  }
  const seen = () => {
    if (document.visibilityState === 'visible') void turn()
  }

  onMounted(() => {
    timer = setTimeout(turn, seconds * 1000)
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('online', seen)
  })
  onUnmounted(() => {
    clearTimeout(timer)
    busy = true
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('online', seen)
  })
}
