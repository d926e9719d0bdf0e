import * as z from 'zod'
import {
  Patient,
  Professional,
  type PatientChange,
  type PatientRequest,
  type ProfessionalChange,
  type ProfessionalRequest
} from '../../shared/contract.ts'

const PATIENTS = '/api/v1/clinical/patients'
const PROFESSIONALS = '/api/v1/clinical/professionals'

/** The module's API, typed by its contract. */
export function useClinicalApi() {
  const api = useApi()
  return {
    listPatients: (query: { search?: string, page?: number, page_size?: number }, signal?: AbortSignal) =>
      api.get(PATIENTS, { query, signal, answer: z.array(Patient) }),
    getPatient: (id: string, signal?: AbortSignal) => api.get(`${PATIENTS}/${id}`, { signal, answer: Patient }),
    createPatient: (body: PatientRequest) => api.post(PATIENTS, { body, answer: Patient }),
    changePatient: (id: string, body: PatientChange, if_match: string | null) =>
      api.patch(`${PATIENTS}/${id}`, { body, if_match, answer: Patient }),
    listProfessionals: (
      query: { search?: string, active?: 'true' | 'false', page?: number, page_size?: number } = {},
      signal?: AbortSignal
    ) => api.get(PROFESSIONALS, { query, signal, answer: z.array(Professional) }),
    getProfessional: (id: string, signal?: AbortSignal) =>
      api.get(`${PROFESSIONALS}/${id}`, { signal, answer: Professional }),
    createProfessional: (body: ProfessionalRequest) => api.post(PROFESSIONALS, { body, answer: Professional }),
    changeProfessional: (id: string, body: ProfessionalChange, if_match: string | null) =>
      api.patch(`${PROFESSIONALS}/${id}`, { body, if_match, answer: Professional })
  }
}
