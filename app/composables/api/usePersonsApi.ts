import { ErasureReport } from '../../../shared/persons.ts'

export type { ErasureReport } from '../../../shared/persons.ts'

const PERSONS = '/api/v1/clinic/persons'

/** Access to and erasure of all data about a person. Needs `privacy.manage`. */
export function usePersonsApi() {
  const api = useApi()
  return {
    exportPerson: (id: string) => api.get<Blob>(`${PERSONS}/${id}/export`, { file: true }),
    erasePerson: (id: string, dry_run: boolean) =>
      api.post(`${PERSONS}/${id}/erase`, { body: { dry_run }, answer: ErasureReport })
  }
}
