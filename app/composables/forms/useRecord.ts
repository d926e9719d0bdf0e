import type { Answer } from '../api/useApi.ts'

interface Options<T> {
  /** The toast after a save. */
  saved: () => string
  /** Labels and texts of the fields, for a conflict with someone else's change. */
  label: (key: keyof T & string) => string
  show: (key: keyof T & string, value: unknown) => string
  /** Follows a save. */
  after?: () => unknown
}

/**
 * The page of a record: what is stored, and the form that changes it. A page that shows facts opens the form with
 * `editing` (see RecordSection); one that is only a form ignores it. Bind `page` to StaffPage and `form` to the form.
 * Leaving with unsaved changes asks first.
 */
export function useRecord<T extends object>(
  read: (signal?: AbortSignal) => Promise<Answer<T>>,
  write: (change: Partial<T>, if_match: string | null) => Promise<Answer<T>>,
  { saved, label, show, after }: Options<T>
) {
  const edit = useEdit<T>(read, write)
  const { stored, loadError, loading, load, saving, error, forget, save, conflicts, turn, takeTheirs } = edit
  const toast = useToast()
  const editing = ref(false)
  const dirty = ref(false)
  const mayGo = useLeaveGuard(() => dirty.value)
  const rows = useConflictRows(() => conflicts.value, label, show)

  function close() {
    editing.value = dirty.value = false
    forget()
  }
  async function onSave(change: Partial<T>) {
    if (!(await save(change))) return
    close()
    toast.add({ title: saved(), icon: 'i-lucide-circle-check' })
    await after?.()
  }
  function onTheirs() {
    takeTheirs()
    dirty.value = false
  }
  function leave() {
    if (!mayGo()) return
    takeTheirs() // after a cancel, the page shows the saved values
    close()
  }
  return {
    ...edit,
    editing,
    record: computed(() => stored.value?.data ?? null),
    page: computed(() => ({
      loading: loading.value && !stored.value,
      error: loadError.value,
      onRetry: () => void load()
    })),
    form: computed(() => ({
      key: turn.value,
      error: error.value,
      saving: saving.value,
      conflicts: conflicts.value && rows.value,
      leave: editing.value ? leave : null,
      onSave,
      onTheirs,
      onDirty: (isDirty: boolean) => { dirty.value = isDirty }
    }))
  }
}
