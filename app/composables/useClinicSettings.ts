import type { Clinic } from '../../shared/clinic.ts'

interface Versioned { data: Clinic, etag: string | null }

/**
 * The settings as a form, with the saved values and those that someone else saved in between (412). Fields that only
 * the other person changed get their values. For fields that both changed, both values are shown and a person decides.
 */
export function useClinicSettings() {
  const api = useClinicApi()
  const { accent } = usePreferences()
  const saved = shallowRef<Clinic | null>(null)
  const form = reactive({}) as ClinicForm // `show` fills it before the form is rendered
  const theirs = shallowRef<Versioned | null>(null)
  const taken = ref<ClinicField[]>([])
  const etag = ref<string | null>(null)

  const before = computed(() => saved.value && toClinicForm(saved.value))
  const touched = computed(() => before.value ? fieldsApart(form, before.value) : [])
  /** The fields that both changed, to different values. */
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
    accent.value = data.accent_color
  }

  /**
   * Saves the changed fields. Returns null if someone else changed the same fields (see `clashes`); `over` overwrites
   * them.
   */
  async function save(over: boolean): Promise<Clinic | null> {
    taken.value = []
    const answer = over ? await saveOver() : await saveMine()
    if (!answer) return null
    show(answer)
    return answer.data
  }
  async function saveMine(): Promise<Versioned | null> {
    return await api.change(toClinicChange(form, before.value!), etag.value).catch(async (error) => {
      if (toApiError(error).status !== 412) throw error
      theirs.value = await api.get()
      return clashes.value.length > 0 ? null : await saveOver()
    })
  }
  /** Saves over the latest version. Fields that only the other person changed keep that person's values. */
  async function saveOver(): Promise<Versioned> {
    const now = theirs.value!
    taken.value = fieldsApart(toClinicForm(now.data), before.value!).filter(name => !touched.value.includes(name))
    return await api.change(toClinicChange(form, before.value!), now.etag).catch(async (error) => {
      // Someone saved again meanwhile: shows the error and the latest values. The next press overwrites those.
      if (toApiError(error).status === 412) theirs.value = await api.get()
      throw error
    })
  }

  /** The logo was saved at once. The form keeps its changes, and a newer version is left to the conflict handling. */
  function takeLogo({ data, etag: version }: Versioned) {
    const same = before.value !== null && fieldsApart(toClinicForm(data), before.value).length === 0
    saved.value = { ...saved.value!, logo_url: data.logo_url }
    if (same) etag.value = version
  }

  return { form, saved, theirs, taken, touched, clashes, show, save, takeLogo, load: api.get }
}
