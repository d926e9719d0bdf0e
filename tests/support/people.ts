import { randomBytes } from 'node:crypto'
import type { Client, Db } from '@svc/kit'
import { createClinic } from '../../server/core/clinics/create-clinic.ts'
import { createUser } from '../../server/core/people/accounts/create-user.ts'
import { lockUsableUser } from '../../server/core/people/accounts/write-user.ts'
import { openSession } from '../../server/core/people/sessions/open-session.ts'
import type { Secrets } from '../../server/core/secrets.ts'
import { createCaller, type Caller } from './caller.ts'

export const PASSWORD = 'a password for tests'
export type Role = 'admin' | 'dentist' | 'hygienist' | 'assistant' | 'receptionist'

interface CoreParts { db: Db, secrets: Secrets }

const CLIENT: Client = { ip: '127.0.0.1', ip_key: '127.0.0.1', user_agent: 'node' }

const hashes = new Map<string, Promise<string>>()

/**
 * The same secrets, but `PASSWORD` is hashed only once in a process, because a hash costs as much as dozens of
 * requests.
 */
export function hashOnce(secrets: Secrets): Secrets {
  const [{ id }] = secrets.known as [Secrets['known'][number]]
  if (!hashes.has(id)) hashes.set(id, secrets.hash(PASSWORD))
  return { ...secrets, hash: value => (value === PASSWORD ? hashes.get(id)! : secrets.hash(value)) }
}

/** Clinics and members created by the core's own functions, with a session like after a sign-in with the password. */
export function createPeople(parts: () => CoreParts, url: string) {
  const tokens = new Map<string, Promise<string>>()

  async function signIn(role: Role, clinic: { id: string }): Promise<string> {
    const { db, secrets } = parts()
    const email = `${role}-${randomBytes(4).toString('hex')}@clinic.test`
    const { id } = await createUser(
      { db, secrets: hashOnce(secrets) },
      { email, first_name: 'Rosa', last_name: role, clinic_id: clinic.id, role, password: PASSWORD },
      { by: 'operator' }
    )
    return await db.transaction(async (tx) => {
      const user = await lockUsableUser(tx, secrets, id)
      const opened = await openSession(
        { tx, secrets },
        { user: user!, way: null, shown: ['password'], client: CLIENT }
      )
      return opened!.secret
    })
  }

  /** The session's secret: the value of the bearer header and of the cookie `svc_session`. */
  function session(role: Role, clinic: { id: string }): Promise<string> {
    const key = `${role}@${clinic.id}`
    if (!tokens.has(key)) tokens.set(key, signIn(role, clinic))
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
