/**
 * The server's time, moving once a second in the browser; equal on server and browser at first, so that both draw the
 * same.
 */
export function useServerClock(start: number, skew: Readonly<Ref<number>>) {
  const now = ref(start)
  const tick = () => {
    now.value = Date.now() + skew.value
  }
  let timer: ReturnType<typeof setInterval> | undefined

  onMounted(() => {
    tick()
    timer = setInterval(tick, 1000)
  })
  onBeforeUnmount(() => clearInterval(timer))
  return now
}
