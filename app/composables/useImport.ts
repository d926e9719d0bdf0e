import type { ShallowRef } from 'vue'
import { IMPORT_BYTES, type Import, type ImportOptionsChange } from '@svc/kit/import-schemas'

export const IMPORT_STEPS = ['file', 'columns', 'check', 'run'] as const
export type ImportStep = typeof IMPORT_STEPS[number]
type Mapping = Import['mapping']
const EVERY_SECONDS = 1

/**
 * One import, step by step. The server stores the choices and the URL has the import's id, so that a page that is
 * reloaded or opened again continues where it was. `path` is the API path of the imports, such as
 * `/api/v1/clinical/imports`.
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

  /** If the import's state forbids the change, it was started elsewhere. The page then loads the new state. */
  async function change(answer: Promise<{ data: Import }>) {
    try {
      found.value = (await answer).data
    } catch (error) {
      if (toApiError(error).status === 409) await load({ quietly: true }).catch(() => {}) // the error itself is shown
      throw error
    }
  }
  const { mapping, choose, map, settled } = useMapping(found, mapping => change(api.map(found.value!.id, { mapping })))

  /** With another encoding or header line, the server reads the file again and guesses the columns again. */
  const reading = useSave(async (options: ImportOptionsChange) => {
    if (await settled()) await change(api.map(found.value!.id, options))
  })

  /** The person went back from the check to choose other columns. */
  const isBack = ref(false)
  const check = useSave(async () => {
    if (!await settled()) return
    checksBefore.value = null
    await change(api.check(found.value!.id, leaving.signal))
    isBack.value = false
  })
  /** The number of other files' checks in the queue before this one. Null means that this check is running. */
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

/** Shows a choice at once. A choice made while another is being saved is saved after it. */
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
    /** Waits for the choice that is being saved. Returns false if saving failed. */
    async settled() {
      if (!map.saving.value) map.error.value = null
      await sending
      return map.error.value === null
    }
  }
}
