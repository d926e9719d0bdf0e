import * as z from 'zod'
import { Clinic, ClinicEffect, MailState, TestMail, type ClinicChange } from '../../../shared/clinic.ts'
import { ModuleSettings, SettingValues } from '../../../shared/settings.ts'

const CLINIC = '/api/v1/clinic'

/** The clinic's data and settings. Each response has an `etag`. */
export function useClinicApi() {
  const api = useApi()
  return {
    get: (signal?: AbortSignal) => api.get(CLINIC, { signal, answer: Clinic }),
    change: (body: ClinicChange, if_match: string | null) => api.patch(CLINIC, { body, if_match, answer: Clinic }),
    /** Returns what a change would do to the clinic's data, without changing it. */
    preview: (body: ClinicChange, signal?: AbortSignal) =>
      api.post(`${CLINIC}/preview`, { body, signal, answer: z.array(ClinicEffect) }),
    setLogo: (raw: Blob) => api.put(`${CLINIC}/logo`, { raw, answer: Clinic }),
    removeLogo: () => api.remove(`${CLINIC}/logo`, { answer: Clinic }),
    /** The modules whose settings the person may change. */
    listSettings: (signal?: AbortSignal) =>
      api.get(`${CLINIC}/settings`, { signal, answer: z.array(ModuleSettings) }),
    getSettings: (module: string, signal?: AbortSignal) =>
      api.get(`${CLINIC}/settings/${module}`, { signal, answer: SettingValues }),
    changeSettings: (module: string, body: Partial<SettingValues>, if_match: string | null) =>
      api.patch(`${CLINIC}/settings/${module}`, { body, if_match, answer: SettingValues }),
    /** How the instance sends email. */
    mail: (signal?: AbortSignal) => api.get(`${CLINIC}/mail`, { signal, answer: MailState }),
    testMail: () => api.post(`${CLINIC}/mail/test`, { answer: TestMail })
  }
}
