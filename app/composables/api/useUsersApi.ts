import * as z from 'zod'
import type { NewUser, UserChange } from '../../../shared/auth.ts'
import { AddedUser, Invitation, User } from '../../../shared/auth.ts'
import { EnrolmentLink } from '../../../shared/factors.ts'

const USERS = '/api/v1/users'

/** The users of the clinic. */
export function useUsersApi() {
  const api = useApi()
  return {
    list: (query: { search?: string, active?: string, page?: number }, signal?: AbortSignal) =>
      api.get(USERS, { query, signal, answer: z.array(User) }),
    get: (id: string, signal?: AbortSignal) => api.get(`${USERS}/${id}`, { signal, answer: User }),
    add: (body: z.infer<typeof NewUser>) => api.post(USERS, { body, answer: AddedUser }),
    /** Resends the invitation of a user who has no password yet. */
    invite: (id: string) => api.post(`${USERS}/${id}/invitation`, { answer: Invitation }),
    change: (id: string, body: z.infer<typeof UserChange>) => api.patch(`${USERS}/${id}`, { body, answer: User }),
    linkForFactor: (id: string) => api.post(`${USERS}/${id}/enrolment-link`, { answer: EnrolmentLink }),
    resetFactor: (id: string) => api.post(`${USERS}/${id}/reset-factor`),
    /**
     * Sends a link to set a password. The response doesn't say whether it was sent: at most 3 an hour are, and only if
     * email is set up.
     */
    mailPasswordLink: (email: string) => api.post('/api/v1/auth/password-reset', { body: { email } })
  }
}
