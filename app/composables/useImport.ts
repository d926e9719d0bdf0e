import type { ShallowRef } from 'vue'
import { IMPORT_BYTES, type Import, type ImportOptionsChange } from '@svc/kit/import-schemas'

export const IMPORT_STEPS = ['file', 'columns', 'check', 'run'] as const
export type ImportStep = typeof IMPORT_STEPS[number]
type Mapping = Import['mapping']
const EVERY_SECONDS = 1

/**
 * One import, step by step. The server has what was chosen, and the address has its id: a page that is loaded again,
 * or come back to, goes on where it was. `path`: of the imports, such as `/api/v1/clinical/imports`.
 */
export function useImport(path: string) {
  const route = useRoute()
  const api = useImportApi(path)
  const id = computed(() => String([route.query.import].flat()[0] ?? ''))
  const { data: found, error: loadError, loading, load } = useLoaded<Import | null>(
    async signal => id.value ? (await api.get(id.value, signal)).data : null,
    () => id.value
  )
  const isOpen = ref(true)
  const leaving = new AbortController()
  onBeforeUnmount(() => {
    isOpen.value = false
    leaving.abort()
  })

  const upload = useSave(async (file: File) => {
    if (file.size > IMPORT_BYTES) throw tooLarge()
    const { data } = await api.upload(file)
    if (!isOpen.value) return
    loadError.value = null
    found.value = data
    await navigateTo({ query: { import: data.id } })
  })

  /** Refused for its state, it has begun elsewhere: then the page shows that. */
  async function change(answer: Promise<{ data: Import }>) {
    try {
      found.value = (await answer).data
    } catch (error) {
      if (toApiError(error).status === 409) await load({ quietly: true }).catch(() => {}) // the refusal itself is said
      throw error
    }
  }
  const { mapping, choose, map, settled } = useMapping(found, mapping => change(api.map(found.value!.id, { mapping })))

  /** Another encoding or header line reads the file again, with columns guessed again. */
  const reading = useSave(async (options: ImportOptionsChange) => {
    if (await settled()) await change(api.map(found.value!.id, options))
  })

  /** Back from the check, to choose another field. */
  const isBack = ref(false)
  const check = useSave(async () => {
    if (!await settled()) return
    checksBefore.value = null
    await change(api.check(found.value!.id, leaving.signal))
    isBack.value = false
  })
  /** How many checks of other files come first; null: it runs. */
  const checksBefore = ref<number | null>(null)
  useLive(async () => {
    if (check.saving.value) checksBefore.value = (await api.get(id.value)).data.checks_before
  }, EVERY_SECONDS)
  const run = useSave(() => change(api.run(found.value!.id)))
  watch(id, () => {
    isBack.value = false
    for (const { error } of [upload, map, reading, check, run]) error.value = null
  })

  const step = computed(() => found.value ? stepOf(found.value, isBack.value) : loading.value ? null : 'file')
  const again = () => void navigateTo({ query: {} })
  const back = () => void (isBack.value = true)
  return { found, loadError, load, step, upload, mapping, choose, map, reading, check, checksBefore, back, run, again }
}

function stepOf({ state }: Import, isBack: boolean): ImportStep {
  if (state === 'uploaded' || (state === 'checked' && isBack)) return 'columns'
  return state === 'checked' ? 'check' : 'run'
}

const tooLarge = () =>
  new ApiError({ type: 'about:blank', title: '', status: 413, detail: '', code: 'payload_too_large', request_id: '' })

/** A choice is shown at once. One that is made while another is on its way is sent after it. */
function useMapping(found: Readonly<ShallowRef<Import | null>>, save: (mapping: Mapping) => Promise<void>) {
  const chosen = shallowRef<Mapping | null>(null)
  let sending: Promise<unknown> = Promise.resolve()
  const map = useSave(async () => {
    let sent: Mapping | null = null
    while (chosen.value && chosen.value !== sent) {
      sent = chosen.value
      await save(sent)
    }
  })
  return {
    mapping: computed(() => chosen.value ?? found.value?.mapping ?? {}),
    map,
    choose(mapping: Mapping) {
      chosen.value = mapping
      if (!map.saving.value) sending = map.run().then(() => chosen.value = null)
    },
    /** False: the choice that was on its way did not arrive. */
    async settled() {
      if (!map.saving.value) map.error.value = null
      await sending
      return map.error.value === null
    }
  }
}
