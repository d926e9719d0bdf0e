/**
 * Calls `look` every `seconds` while the page is visible, and at once when it becomes visible or online again. Calls
 * never overlap.
 */
export function useLive(look: () => Promise<unknown>, seconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false

  async function turn() {
    clearTimeout(timer)
    if (busy) return
    busy = true
    // After a failure the page keeps what it shows, and the next turn tries again.
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
