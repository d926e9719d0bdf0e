import { Import } from '../../../shared/import.ts'

/** Imports at one address, such as `/api/v1/clinical/imports`. */
export function useImportApi(path: string) {
  const api = useApi()
  return {
    upload(file: File) {
      const form = new FormData()
      form.set('file', file)
      return api.post(path, { form, answer: Import })
    },
    get: (id: string) => api.get(`${path}/${id}`, { answer: Import }),
    map: (id: string, mapping: Import['mapping']) => api.patch(`${path}/${id}`, { body: { mapping }, answer: Import }),
    async check(id: string) {
      await api.post(`${path}/${id}/check`)
      return await api.get(`${path}/${id}`, { answer: Import })
    },
    run: (id: string) => api.post(`${path}/${id}/run`, { answer: Import }),
    errors: (id: string) => api.get<Blob>(`${path}/${id}/errors.csv`, { file: true })
  }
}
