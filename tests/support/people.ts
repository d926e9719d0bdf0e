import { randomBytes } from 'node:crypto'
import type { Ctx, Db } from '@svc/kit'
import { createClinic } from '../../server/core/auth/create-clinic.ts'
import { createUser } from '../../server/core/auth/create-user.ts'
import { createCaller, type Caller } from './caller.ts'

export const PASSWORD = 'a password for tests'
export type Role = 'admin' | 'dentist' | 'hygienist' | 'assistant' | 'receptionist'

interface CoreParts { db: Db, secrets: Ctx['secrets'] }

/** Clinics and members made by the core's own functions, logged in over HTTP. */
export function createPeople(parts: () => CoreParts, url: string) {
  const callers = new Map<string, Promise<Caller>>()

  async function logIn(role: Role, clinic: { id: string }): Promise<Caller> {
    const email = `${role}-${randomBytes(4).toString('hex')}@clinic.test`
    await createUser(parts(), { email, first_name: 'Rosa', last_name: role, clinic_id: clinic.id, role, password: PASSWORD }, { by: 'operator' })
    const { body } = await createCaller(url).post('/api/v1/auth/login', { email, password: PASSWORD })
    return createCaller(url, { bearer: body.data.access_token })
  }

  return {
    clinic: (name: string) => createClinic(parts(), { name, currency: 'EUR', time_zone: 'Europe/Madrid', locale: 'es' }),
    member(role: Role, clinic: { id: string }) {
      const key = `${role}@${clinic.id}`
      if (!callers.has(key)) callers.set(key, logIn(role, clinic))
      return callers.get(key)!
    }
  }
}
