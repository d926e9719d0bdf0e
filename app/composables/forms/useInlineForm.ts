import type { useEdit } from './useEdit.ts'

type Edit<T extends object> = Pick<ReturnType<typeof useEdit<T>>, 'save' | 'forget' | 'takeTheirs'>

/**
 * A page that shows facts and, when asked, their form. `place` gets the focus when the form is gone; `saved` is said in
 * a toast. Leaving asks first when something is typed.
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
      takeTheirs() // after a cancel, the saved values are shown
      shut()
    },
    beginAgain() {
      takeTheirs()
      dirty.value = false
    }
  }
}
