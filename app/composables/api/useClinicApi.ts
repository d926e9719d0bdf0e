import * as z from 'zod'
import { Clinic, ClinicEffect, MailState, TestMail, type ClinicChange } from '../../../shared/clinic.ts'

const CLINIC = '/api/v1/clinic'

/** The clinic's data and settings. Each answer carries the `etag` of what it holds. */
export function useClinicApi() {
  const api = useApi()
  return {
    get: (signal?: AbortSignal) => api.get(CLINIC, { signal, answer: Clinic }),
    change: (body: ClinicChange, if_match: string | null) => api.patch(CLINIC, { body, if_match, answer: Clinic }),
    /** What a change would do to the clinic's data; changes nothing. */
    preview: (body: ClinicChange, signal?: AbortSignal) =>
      api.post(`${CLINIC}/preview`, { body, signal, answer: z.array(ClinicEffect) }),
    setLogo: (raw: Blob) => api.put(`${CLINIC}/logo`, { raw, answer: Clinic }),
    removeLogo: () => api.remove(`${CLINIC}/logo`, { answer: Clinic }),
    /** How email leaves the instance. */
    mail: (signal?: AbortSignal) => api.get(`${CLINIC}/mail`, { signal, answer: MailState }),
    testMail: () => api.post(`${CLINIC}/mail/test`, { answer: TestMail })
  }
}
