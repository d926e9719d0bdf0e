/**
 * After a navigation, moves the focus to the new page's content, because the focused link is gone with the old page.
 * The first page starts at its top.
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
