import type { Clinic } from '../../shared/clinic.ts'

interface Versioned { data: Clinic, etag: string | null }

/**
 * The settings as a form: what is typed, what is saved, and what someone else saved in between (412). Fields that only
 * the other one changed are taken over; where both did, both values are shown and a person decides.
 */
export function useClinicSettings() {
  const api = useClinicApi()
  const session = useSession()
  const saved = shallowRef<Clinic | null>(null)
  const form = reactive({}) as ClinicForm // filled by `show`, before anything is drawn
  const theirs = shallowRef<Versioned | null>(null)
  const taken = ref<ClinicField[]>([])
  const etag = ref<string | null>(null)

  const before = computed(() => saved.value && toClinicForm(saved.value))
  const touched = computed(() => before.value ? fieldsApart(form, before.value) : [])
  /** Where both changed the same to different things. */
  const clashes = computed(() => {
    if (!theirs.value || !before.value) return []
    const now = toClinicForm(theirs.value.data)
    const changed = fieldsApart(now, before.value)
    return fieldsApart(form, now).filter(name => touched.value.includes(name) && changed.includes(name))
  })

  function show({ data, etag: version }: Versioned) {
    saved.value = data
    etag.value = version
    theirs.value = null
    Object.assign(form, toClinicForm(data))
    session.accent.value = data.accent_color
  }

  /** Saves what was touched. Null: someone else changed the same fields, `clashes` says which; `over` saves anyway. */
  async function save(over: boolean): Promise<Clinic | null> {
    taken.value = []
    const answer = over ? await saveOver() : await saveMine()
    if (!answer) return null
    show(answer)
    await session.load() // its name, zone and currency stand in many places
    return answer.data
  }
  async function saveMine(): Promise<Versioned | null> {
    return await api.change(toClinicChange(form, before.value!), etag.value).catch(async (error) => {
      if (toApiError(error).status !== 412) throw error
      theirs.value = await api.get()
      return clashes.value.length > 0 ? null : await saveOver()
    })
  }
  /** On top of what is saved now: what only the other one changed stays theirs. */
  async function saveOver(): Promise<Versioned> {
    const now = theirs.value!
    taken.value = fieldsApart(toClinicForm(now.data), before.value!).filter(name => !touched.value.includes(name))
    return await api.change(toClinicChange(form, before.value!), now.etag).catch(async (error) => {
      // Saved once more since: said, and shown as it is now; the next press goes over that.
      if (toApiError(error).status === 412) theirs.value = await api.get()
      throw error
    })
  }

  /** The logo is saved at once, the rest of the form stays. A newer version than ours is left to the conflict. */
  function takeLogo({ data, etag: version }: Versioned) {
    const same = before.value !== null && fieldsApart(toClinicForm(data), before.value).length === 0
    saved.value = { ...saved.value!, logo_url: data.logo_url }
    if (same) etag.value = version
  }

  return { form, saved, theirs, taken, touched, clashes, show, save, takeLogo, load: api.get }
}
