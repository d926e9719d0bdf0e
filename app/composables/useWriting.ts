import type { useEdit } from './useEdit.ts'

type Edit<T extends object> = Pick<ReturnType<typeof useEdit<T>>, 'save' | 'error' | 'takeTheirs'>

/**
 * A page that shows facts and, when asked, their form. `place` gets the focus when the form is gone; `saved` is said in
 * a toast. Leaving asks first when something is typed.
 */
export function useWriting<T extends object>({ save, error, takeTheirs }: Edit<T>, { place, saved }: { place: Readonly<Ref<HTMLElement | null>>, saved: () => string }) {
  const { t } = useI18n()
  const toast = useToast()
  const writing = ref(false)
  const dirty = ref(false)
  useLeaveGuard(() => dirty.value)

  function shut() {
    writing.value = dirty.value = false
    error.value = null
    void nextTick(() => place.value?.focus())
  }
  return {
    writing, dirty,
    async submit(change: Partial<T>) {
      if (!await save(change)) return
      shut()
      toast.add({ title: saved(), icon: 'i-lucide-circle-check' })
    },
    leave() {
      if (!dirty.value || window.confirm(t('staff.leave'))) shut()
    },
    beginAgain() {
      takeTheirs()
      dirty.value = false
    }
  }
}
