/** Calls `load` once, on first use. A failure is not cached: the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
}
