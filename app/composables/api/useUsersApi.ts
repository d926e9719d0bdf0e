import * as z from 'zod'
import type { NewUser, UserChange } from '../../../shared/auth.ts'
import { AddedUser, Invitation, User } from '../../../shared/auth.ts'
import { EnrolmentLink } from '../../../shared/factors.ts'

const USERS = '/api/v1/users'

/** The people of the clinic. */
export function useUsersApi() {
  const api = useApi()
  return {
    list: (query: { search?: string, active?: string, page?: number }, signal?: AbortSignal) =>
      api.get(USERS, { query, signal, answer: z.array(User) }),
    get: (id: string, signal?: AbortSignal) => api.get(`${USERS}/${id}`, { signal, answer: User }),
    add: (body: z.infer<typeof NewUser>) => api.post(USERS, { body, answer: AddedUser }),
    /** Sends the invitation again, to a person without a password. */
    invite: (id: string) => api.post(`${USERS}/${id}/invitation`, { answer: Invitation }),
    change: (id: string, body: z.infer<typeof UserChange>) => api.patch(`${USERS}/${id}`, { body, answer: User }),
    linkForFactor: (id: string) => api.post(`${USERS}/${id}/enrolment-link`, { answer: EnrolmentLink }),
    resetFactor: (id: string) => api.post(`${USERS}/${id}/reset-factor`),
    /**
     * A link to choose a password with. Says nothing of what became of it: at most 3 an hour are sent, and only where
     * mail is set up.
     */
    mailPasswordLink: (email: string) => api.post('/api/v1/auth/password-reset', { body: { email } })
  }
}
