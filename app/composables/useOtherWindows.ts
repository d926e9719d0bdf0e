const CHANNEL = 'svc-session'

/** The other windows of this browser share its session: they look who is logged in now. */
export function tellOtherWindows() {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('changed')
  channel.close()
}

/** Calls `look` when another window changed the session, and when this one is looked at again. */
export function useOtherWindows(look: () => void) {
  let channel: BroadcastChannel | undefined
  const seen = () => {
    if (document.visibilityState === 'visible') look()
  }
  onMounted(() => {
    channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = look
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('pageshow', seen)
  })
  onUnmounted(() => {
    channel?.close()
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('pageshow', seen)
  })
}
