/**
 * The first response that a public page needs. The server's response is sent with the page, so that the browser doesn't
 * repeat that first request. useAsyncData does this too, but adds 3 kB for features that public pages don't need.
 */
export async function useFirstAnswer<T extends object>(key: string, ask: () => Promise<T>): Promise<T> {
  const carried = useState<T | null>(key, () => null)
  const answer = carried.value ?? await ask()
  carried.value = import.meta.server ? answer : null
  return answer
}
