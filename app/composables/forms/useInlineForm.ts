import type { useEdit } from './useEdit.ts'

type Edit<T extends object> = Pick<ReturnType<typeof useEdit<T>>, 'save' | 'forget' | 'takeTheirs'>

/**
 * A page that shows facts and, on request, a form to change them. `place` gets the focus when the form closes; `saved`
 * returns the toast's text. Leaving with unsaved changes asks first.
 */
export function useInlineForm<T extends object>(
  { save, forget, takeTheirs }: Edit<T>,
  { place, saved }: { place: Readonly<Ref<HTMLElement | null>>, saved: () => string }
) {
  const toast = useToast()
  const writing = ref(false)
  const dirty = ref(false)
  const mayGo = useLeaveGuard(() => dirty.value)

  function shut() {
    writing.value = dirty.value = false
    forget()
    void nextTick(() => place.value?.focus())
  }
  return {
    writing,
    dirty,
    async submit(change: Partial<T>) {
      if (!(await save(change))) return
      shut()
      toast.add({ title: saved(), icon: 'i-lucide-circle-check' })
    },
    leave() {
      if (!mayGo()) return
      takeTheirs() // after a cancel, the page shows the saved values
      shut()
    },
    beginAgain() {
      takeTheirs()
      dirty.value = false
    }
  }
}
