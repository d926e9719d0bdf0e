import * as z from 'zod'
import { Template, TemplateRow, type TemplateRequest } from '../../shared/contract.ts'

const TEMPLATES = '/api/v1/budget/templates'
const at = (id: string) => `${TEMPLATES}/${encodeURIComponent(id)}`

/** The API of budget templates, typed by its contract. */
export function useTemplatesApi() {
  const api = useApi()
  return {
    list: (query: { search?: string, page?: number, page_size?: number }, signal?: AbortSignal) =>
      api.get(TEMPLATES, { query, signal, answer: z.array(TemplateRow) }),
    get: (id: string, signal?: AbortSignal) => api.get(at(id), { signal, answer: Template }),
    save: (body: TemplateRequest) => api.post(TEMPLATES, { body, answer: Template }),
    rename: (id: string, name: string) => api.patch(at(id), { body: { name }, if_match: null, answer: Template }),
    remove: (id: string) => api.remove(at(id))
  }
}
