import * as z from 'zod'
import type { NewUser, UserChange } from '../../shared/auth.ts'
import { User } from '../../shared/auth.ts'

const USERS = '/api/v1/users'

/** The people of the clinic. */
export function useUsersApi() {
  const api = useApi()
  return {
    list: (query: { search?: string, active?: string, page?: number }, signal?: AbortSignal) => api.get(USERS, { query, signal, answer: z.array(User) }),
    get: (id: string, signal?: AbortSignal) => api.get(`${USERS}/${id}`, { signal, answer: User }),
    add: (body: z.infer<typeof NewUser>) => api.post(USERS, { body, answer: User }),
    change: (id: string, body: z.infer<typeof UserChange>) => api.patch(`${USERS}/${id}`, { body, answer: User }),
    /** A link to choose a password with; also for those who did not take their invitation. At most 3 an hour are sent. */
    mailPasswordLink: (email: string) => api.post('/api/v1/auth/password-reset', { body: { email } })
  }
}
