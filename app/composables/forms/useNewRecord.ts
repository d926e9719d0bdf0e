/**
 * The page of a new record. Bind `form` to the form. `create` returns where to go and what to say, or undefined if
 * the page shows more of what was created. `list` shows the record if the response is lost.
 */
export function useNewRecord<Content>(
  create: (content: Content) => Promise<{ to: string, said: string } | undefined>,
  list: string
) {
  const toast = useToast()
  const dirty = ref(false)
  useLeaveGuard(() => dirty.value)

  const { saving, error, run } = useSave(async (content: Content) => {
    const made = await create(content)
    dirty.value = false
    if (!made) return
    toast.add({ title: made.said, icon: 'i-lucide-circle-check' })
    await navigateTo(made.to)
  }, { list })
  return {
    form: computed(() => ({
      error: error.value,
      saving: saving.value,
      onSave: (content: Content) => void run(content),
      onDirty: (isDirty: boolean) => { dirty.value = isDirty }
    }))
  }
}
