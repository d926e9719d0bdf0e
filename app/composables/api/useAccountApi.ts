import * as z from 'zod'
import { OwnSession } from '../../../shared/auth.ts'
import { Factor, NewTotp, RecoveryCodes } from '../../../shared/factors.ts'

const FACTORS = '/api/v1/auth/factors'
const SESSIONS = '/api/v1/auth/sessions'

/** The person's own account: its second factors and sessions. */
export function useAccountApi() {
  const api = useApi()
  return {
    factors: async (signal?: AbortSignal) => {
      const { data, meta } = await api.get(FACTORS, { signal, answer: z.array(Factor) })
      return { factors: data, recovery_codes_left: Number(meta.recovery_codes_left) }
    },
    startTotp: async () => (await api.post(`${FACTORS}/totp`, { answer: NewTotp })).data,
    confirmTotp: async (code: string) =>
      (await api.post(`${FACTORS}/totp/confirm`, { body: { code }, answer: RecoveryCodes })).data.recovery_codes,
    keepFactor: (id: string) => api.post(`${FACTORS}/${id}/keep`),
    removeFactor: (id: string) => api.remove(`${FACTORS}/${id}`, { body: {} }),
    renewRecoveryCodes: async () => {
      const { data } = await api.post(`${FACTORS}/recovery-codes`, { body: {}, answer: RecoveryCodes })
      return data.recovery_codes
    },
    sessions: async (signal?: AbortSignal) =>
      (await api.get(SESSIONS, { signal, answer: z.array(OwnSession) })).data,
    endSession: (id: string) => api.remove(`${SESSIONS}/${id}`),
    endOtherSessions: () => api.remove(SESSIONS)
  }
}
