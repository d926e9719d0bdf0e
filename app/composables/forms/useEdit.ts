import type { Answer } from '../api/useApi.ts'

interface Conflict<T> { latest: Answer<T>, mine: Partial<T> }

/**
 * Edits a stored record in a form. Only changed fields are sent, with the ETag that was read. If someone else saved
 * meanwhile (412), `error` is null and `conflicts` lists their changes: saving again overwrites them, and `takeTheirs`
 * restarts from the saved values. `turn` is the form's key: a new number creates a new form. `together` lists fields
 * between which content can move: if someone else changed all of them and this form changed one, this form's values of
 * all of them are sent.
 */
export function useEdit<T extends object>(
  read: (signal?: AbortSignal) => Promise<Answer<T>>,
  write: (change: Partial<T>, if_match: string | null) => Promise<Answer<T>>,
  { together = [] }: { together?: readonly (keyof T)[] } = {}
) {
  const { data: stored, error: loadError, loading, load } = useLoaded(read)
  const conflict = shallowRef<Conflict<T> | null>(null)
  const turn = ref(0)

  const {
    saving,
    error: refusal,
    run: save
  } = useSave(async (wanted: Partial<T>) => {
    const base = stored.value!
    const mine = mineOf(wanted, base.data, conflict.value?.latest.data ?? base.data)
    try {
      begin(Object.keys(mine).length > 0 ? await write(mine, (conflict.value?.latest ?? base).etag) : base)
      return stored.value!.data
    } catch (thrown) {
      if (toApiError(thrown).status === 412) {
        const latest = await read()
        conflict.value = { latest, mine: mineOf(wanted, base.data, latest.data) }
      }
      throw thrown
    }
  })

  function mineOf(wanted: Partial<T>, base: T, latest: T): Partial<T> {
    const [mine, theirs] = [changes(wanted, base), changes(latest, base)]
    const isMoved = together.length > 0 && together.every(key => key in theirs)
    if (!isMoved || !together.some(key => key in mine)) return mine
    return { ...mine, ...Object.fromEntries(together.map(key => [key, wanted[key]])) as Partial<T> }
  }

  function begin(answer: Answer<T>) {
    stored.value = answer
    conflict.value = null
    forget()
    turn.value++
  }

  const error = computed(() => (conflict.value && refusal.value?.status === 412 ? null : refusal.value))
  function forget() {
    refusal.value = null
  }

  const conflicts = computed(() => {
    if (!conflict.value || !stored.value) return null
    const {
      latest: { data: theirs },
      mine
    } = conflict.value
    const keys = Object.keys(changes(theirs, stored.value.data)).filter(
      key => !['version', 'updated_at'].includes(key)
    ) as (keyof T & string)[]
    return keys.map(key => ({
      key,
      theirs: theirs[key],
      mine: key in mine ? { value: mine[key] as T[typeof key] } : null
    }))
  })

  return {
    stored,
    loadError,
    loading,
    load,
    saving,
    error,
    forget,
    save,
    conflicts,
    turn,
    begin,
    takeTheirs: () => conflict.value && begin(conflict.value.latest)
  }
}

function changes<T extends object>(wanted: Partial<T>, base: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => !sameValue(value, base[key as keyof T]))
  ) as Partial<T>
}
