import { randomBytes } from 'node:crypto'
import type { Ctx, Db } from '@svc/kit'
import { createClinic } from '../../server/core/clinics/create-clinic.ts'
import { createUser } from '../../server/core/people/accounts/create-user.ts'
import { createCaller, type Caller } from './caller.ts'

export const PASSWORD = 'a password for tests'
export type Role = 'admin' | 'dentist' | 'hygienist' | 'assistant' | 'receptionist'

interface CoreParts { db: Db, secrets: Ctx['secrets'] }

/** Clinics and members made by the core's own functions, logged in over HTTP. */
export function createPeople(parts: () => CoreParts, url: string) {
  const tokens = new Map<string, Promise<string>>()

  async function logIn(role: Role, clinic: { id: string }): Promise<string> {
    const email = `${role}-${randomBytes(4).toString('hex')}@clinic.test`
    await createUser(
      parts(),
      { email, first_name: 'Rosa', last_name: role, clinic_id: clinic.id, role, password: PASSWORD },
      { by: 'operator' }
    )
    const { body } = await createCaller(url).post('/api/v1/auth/login', { email, password: PASSWORD })
    return body.data.access_token
  }

  /** The session's secret: what the bearer header and the cookie `svc_session` hold. */
  function session(role: Role, clinic: { id: string }): Promise<string> {
    const key = `${role}@${clinic.id}`
    if (!tokens.has(key)) tokens.set(key, logIn(role, clinic))
    return tokens.get(key)!
  }

  return {
    clinic: (name: string) =>
      createClinic(parts(), { name, currency: 'EUR', time_zone: 'Europe/Madrid', locale: 'es' }),
    session,
    member: async (role: Role, clinic: { id: string }): Promise<Caller> =>
      createCaller(url, { bearer: await session(role, clinic) })
  }
}
