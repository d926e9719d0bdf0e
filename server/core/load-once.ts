/** What `load` gives, from its first call on. A failure is not kept: the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
}
