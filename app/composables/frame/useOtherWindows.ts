let shared: BroadcastChannel | undefined
/** One channel per window. A window doesn't receive its own messages. */
const channel = () => shared ??= new BroadcastChannel('svc-session')

/** Other windows of this browser share the session. They check who is signed in now. */
export const notifyOtherWindows = () => channel().postMessage('changed')

/** Calls `look` when another window changed the session, and when this window becomes visible again. */
export function useOtherWindows(look: () => void) {
  const seen = () => {
    if (document.visibilityState === 'visible') look()
  }
  onMounted(() => {
    channel().addEventListener('message', look)
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('pageshow', seen)
  })
  onUnmounted(() => {
    channel().removeEventListener('message', look)
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('pageshow', seen)
  })
}
