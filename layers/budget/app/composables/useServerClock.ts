/**
 * The server's time, updated once a second in the browser. It starts with the same value on server and browser, so that
 * both render the same.
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
