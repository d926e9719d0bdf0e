/**
 * What a public page asks first. The server's answer goes with the page, so that the browser does not ask again: once,
 * and no more. useAsyncData does that too, and much that public pages don't need, in 3 kB.
 */
export async function useFirstAnswer<T extends object>(key: string, ask: () => Promise<T>): Promise<T> {
  const carried = useState<T | null>(key, () => null)
  const answer = carried.value ?? await ask()
  carried.value = import.meta.server ? answer : null
  return answer
}
