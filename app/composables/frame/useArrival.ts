/**
 * On another page the focus is in its content, where what was pressed is gone with the page before. The first page
 * begins at its top.
 */
export function useArrival() {
  let arriving = false
  const { afterEach } = useRouter()
  onUnmounted(afterEach((to, from) => {
    if (from.matched.length > 0 && to.path !== from.path) arriving = true
  }))
  onUnmounted(useNuxtApp().hook('page:finish', () => {
    if (arriving) focusContent()
    arriving = false
  }))
}
