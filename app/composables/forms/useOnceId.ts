interface Progress {
  saving: boolean
  error: ApiError | null
  /** The id of what the dialog is about, if it is used for several. */
  about?: string
  /** Whether the record with this id is known by now. */
  isRecorded?: (id: string) => boolean
}

/**
 * One id for each opening of a dialog, so that a request that is sent twice is recorded once. `start` resets the form.
 * After a request without a response, which may have been recorded, the next opening keeps id and form.
 */
export function useOnceId(open: Ref<boolean>, progress: () => Progress, start: () => void) {
  const id = ref(newId())
  let opened_about: string | undefined
  let is_unsure = false
  watch(() => progress().error, (error) => {
    if (!error) return
    if (error.status === 0 || error.status >= 500) is_unsure = true
    // The server has looked for the id, so the next opening is another request.
    else if (error.status === 409) is_unsure = false
  })
  watch(() => progress().saving, (saving) => {
    if (!saving && !progress().error) is_unsure = false
  })
  watch(open, (opened) => {
    if (!opened) return
    const { about, isRecorded } = progress()
    if (is_unsure && about === opened_about && !isRecorded?.(id.value)) return
    is_unsure = false
    opened_about = about
    id.value = newId()
    start()
  }, { immediate: true })
  return { id }
}

/** Returns a UUID. A page over plain http has no `randomUUID`. */
export function newId(): string {
  const bytes = crypto
    .getRandomValues(new Uint8Array(16))
    .map((byte, at) => (at === 6 ? (byte & 0x0F) | 0x40 : at === 8 ? (byte & 0x3F) | 0x80 : byte))
  return [...bytes]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
