/** `lost`: the last request didn't reach the server. */
export const useConnection = () => ({ lost: useState<boolean>('connection-lost', () => false) })

/** Calls `look` when the server can be reached again (see StaffConnection). */
export function useReconnected(look: () => unknown) {
  const again = () => void look()
  onMounted(() => window.addEventListener('online', again))
  onUnmounted(() => window.removeEventListener('online', again))
}
