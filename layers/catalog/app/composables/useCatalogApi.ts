import * as z from 'zod'
import { Category, Treatment, type TreatmentChange, type TreatmentRequest } from '../../shared/contract.ts'

const TREATMENTS = '/api/v1/catalog/treatments'

/** The module's API, typed by its contract. */
export function useCatalogApi() {
  const api = useApi()
  return {
    listTreatments: (
      query: { search?: string, category?: string, active?: 'true' | 'false', page?: number, page_size?: number },
      signal?: AbortSignal
    ) => api.get(TREATMENTS, { query, signal, answer: z.array(Treatment) }),
    getTreatment: (id: string, signal?: AbortSignal) =>
      api.get(`${TREATMENTS}/${encodeURIComponent(id)}`, { signal, answer: Treatment }),
    createTreatment: (body: TreatmentRequest) => api.post(TREATMENTS, { body, answer: Treatment }),
    changeTreatment: (id: string, body: TreatmentChange, if_match: string | null) =>
      api.patch(`${TREATMENTS}/${encodeURIComponent(id)}`, { body, if_match, answer: Treatment }),
    listCategories: (signal?: AbortSignal) =>
      api.get('/api/v1/catalog/categories', { signal, answer: z.array(Category) })
  }
}
