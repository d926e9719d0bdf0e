/** Resolves once the condition is true. */
export function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = watch(holds, (held) => {
      if (!held) return
      nextTick(() => stop())
      resolve()
    }, { immediate: true })
  })
}
