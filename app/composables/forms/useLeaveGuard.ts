import type { RouteLocationNormalized } from 'vue-router'

/** A nested form must not ask again once the user has agreed to leave. */
let agreed: RouteLocationNormalized | null = null

/**
 * Asks before typed text is lost, when the person leaves the page or closes it. Returns the function that asks, for
 * ways out that stay on the page.
 */
export function useLeaveGuard(dirty: () => boolean) {
  const { t } = useI18n()
  const warn = (event: BeforeUnloadEvent) => {
    if (dirty()) event.preventDefault()
  }
  onMounted(() => window.addEventListener('beforeunload', warn))
  onUnmounted(() => window.removeEventListener('beforeunload', warn))
  const mayGo = () => !dirty() || window.confirm(t('staff.leave'))
  function mayGoTo(to: RouteLocationNormalized) {
    if (agreed === to || !dirty()) return true
    const may = mayGo()
    if (may) agreed = to
    return may
  }
  onBeforeRouteLeave(mayGoTo)
  // Another patient, for example, has the same route but is another page.
  onBeforeRouteUpdate((to, from) => to.path === from.path || mayGoTo(to))
  return mayGo
}
