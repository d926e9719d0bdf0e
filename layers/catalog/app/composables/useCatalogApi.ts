import * as z from 'zod'
import {
  Category,
  Treatment,
  TreatmentSet,
  type SetChange,
  type SetRequest,
  type TreatmentChange,
  type TreatmentQuery,
  type TreatmentRequest
} from '../../shared/contract.ts'

const TREATMENTS = '/api/v1/catalog/treatments'
const SETS = '/api/v1/catalog/sets'
const setAt = (id: string) => `${SETS}/${encodeURIComponent(id)}`

/** The module's API, typed by its contract. */
export function useCatalogApi() {
  const api = useApi()
  return {
    listTreatments: (
      query: Partial<TreatmentQuery>,
      signal?: AbortSignal
    ) => api.get(TREATMENTS, { query, signal, answer: z.array(Treatment) }),
    getTreatment: (id: string, signal?: AbortSignal) =>
      api.get(`${TREATMENTS}/${encodeURIComponent(id)}`, { signal, answer: Treatment }),
    createTreatment: (body: TreatmentRequest) => api.post(TREATMENTS, { body, answer: Treatment }),
    changeTreatment: (id: string, body: TreatmentChange, if_match: string | null) =>
      api.patch(`${TREATMENTS}/${encodeURIComponent(id)}`, { body, if_match, answer: Treatment }),
    listSets: (query: { search?: string, page?: number, page_size?: number }, signal?: AbortSignal) =>
      api.get(SETS, { query, signal, answer: z.array(TreatmentSet) }),
    getSet: (id: string, signal?: AbortSignal) => api.get(setAt(id), { signal, answer: TreatmentSet }),
    createSet: (body: SetRequest) => api.post(SETS, { body, answer: TreatmentSet }),
    changeSet: (id: string, body: SetChange, if_match: string | null) =>
      api.patch(setAt(id), { body, if_match, answer: TreatmentSet }),
    deleteSet: (id: string) => api.remove(setAt(id)),
    listCategories: (signal?: AbortSignal) =>
      api.get('/api/v1/catalog/categories', { signal, answer: z.array(Category) })
  }
}
