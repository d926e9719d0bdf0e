let shared: BroadcastChannel | undefined
/** One for each window; a window does not receive its own messages. */
const channel = () => shared ??= new BroadcastChannel('svc-session')

/** The other windows of this browser share its session: they look who is logged in now. */
export const notifyOtherWindows = () => channel().postMessage('changed')

/** Calls `look` when another window changed the session, and when this one is looked at again. */
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
