/** Throws after `ms`, also if `run` kept the event loop busy meanwhile, so that the timer could not run. */
export async function withTimeout<T>(ms: number, run: () => Promise<T>): Promise<T> {
  const late = () => new Error(`it took longer than ${ms / 1000} seconds`)
  const started = performance.now()
  let timer: NodeJS.Timeout | undefined
  try {
    const result = await Promise.race([
      run(),
      new Promise<never>((_, reject) => { timer = setTimeout(() => reject(late()), ms) })
    ])
    if (performance.now() - started > ms) throw late()
    return result
  } finally {
    clearTimeout(timer)
  }
}
