import { Import, type ImportOptionsChange } from '@svc/kit/import-schemas'

/** Long enough for a file of 20 MB on a slow connection, or a check of 100,000 rows on a busy machine. */
const LONG_MS = 300_000

/** The body of PATCH: the columns, and how the file is read. */
export type ImportChange = { mapping?: Import['mapping'] } & ImportOptionsChange

/** The imports at an API path, such as `/api/v1/clinical/imports`. */
export function useImportApi(path: string) {
  const api = useApi()
  const at = (id: string) => `${path}/${encodeURIComponent(id)}`
  return {
    upload(file: File) {
      const form = new FormData()
      form.set('file', file)
      return api.post(path, { form, answer: Import, timeout_ms: LONG_MS })
    },
    get: (id: string, signal?: AbortSignal) => api.get(at(id), { answer: Import, signal }),
    map: (id: string, change: ImportChange) => api.patch(at(id), { body: change, answer: Import, timeout_ms: LONG_MS }),
    /** Aborting `signal` removes the check from the queue. */
    async check(id: string, signal: AbortSignal) {
      await api.post(`${at(id)}/check`, { timeout_ms: LONG_MS, signal })
      return await api.get(at(id), { answer: Import })
    },
    run: (id: string) => api.post(`${at(id)}/run`, { answer: Import }),
    errors: (id: string) => api.get<Blob>(`${at(id)}/errors.csv`, { file: true })
  }
}
