/** Asks before typed text is lost: on leaving the page within the application, and on closing it. */
export function useLeaveGuard(dirty: () => boolean) {
  const { t } = useI18n()
  const warn = (event: BeforeUnloadEvent) => {
    if (dirty()) event.preventDefault()
  }
  onMounted(() => window.addEventListener('beforeunload', warn))
  onUnmounted(() => window.removeEventListener('beforeunload', warn))
  onBeforeRouteLeave(() => !dirty() || window.confirm(t('staff.leave')))
}
