import { and, desc, eq, sql } from 'drizzle-orm'
import { problem, type Client, type Db } from '@svc/kit'
import { coreMembership, coreSession, coreUser } from '../db/schema.ts'
import type { Limiter, Services } from '../services.ts'
import { verifyPassword } from './passwords.ts'
import { createSession, type NewSession } from './sessions.ts'

type Needs = Pick<Services, 'db' | 'secrets' | 'limits'>

/**
 * Throws `bad_credentials`, alike for unknown accounts, wrong passwords and people without a clinic, and
 * `too_many_requests` after 5 failures a minute from one address, 20 an hour from anywhere.
 */
export async function logIn({ db, secrets, limits }: Needs, { email, password, client }: { email: string, password: string, client: Client }): Promise<NewSession> {
  const address = email.trim().toLowerCase()
  const account = secrets.mac('log-in', address).toString('base64url') // the counters' table needs no addresses of people
  const near = limits.limiter({ name: 'core:log-in-address', points: 5, seconds: 60 })
  const anywhere = limits.limiter({ name: 'core:log-in-account', points: 20, seconds: 3600 })

  // Taken before the comparison, so that parallel guesses get no more of them than the limit allows.
  const giveBack = await takeAll([[near, `${client.ip_key} ${account}`], [anywhere, account]])
  const user = await findUser(db, address)
  const right = await verifyPassword(secrets, password, user?.password_hash ?? null)
  const clinic_id = user && right ? await chooseClinic(db, user.id) : null
  if (!user || !right || !(clinic_id || user.instance_admin)) throw problem('bad_credentials')
  await giveBack()
  return await createSession(db, { user_id: user.id, clinic_id })
}

async function takeAll(counters: [Limiter, string][]): Promise<() => Promise<void>> {
  for (const [limiter, key] of counters) {
    const state = await limiter.take(key)
    if (!state.allowed) throw problem('too_many_requests', { detail: 'Too many failed attempts to log in. Try again later.', retry_after: state.reset })
  }
  return async () => {
    for (const [limiter, key] of counters) await limiter.giveBack(key)
  }
}

async function findUser(db: Db, email: string) {
  const [user] = await db.select({ id: coreUser.id, password_hash: coreUser.password_hash, instance_admin: coreUser.instance_admin })
    .from(coreUser).where(eq(coreUser.email, email))
  return user ?? null
}

/** The clinic of the last session if the person is still a member there, else the one joined first. */
async function chooseClinic(db: Db, user_id: string): Promise<string | null> {
  const lastUsed = db.select({ clinic_id: coreSession.clinic_id, at: sql`max(${coreSession.last_used_at})`.as('at') })
    .from(coreSession).where(eq(coreSession.user_id, user_id)).groupBy(coreSession.clinic_id).as('last_used')
  const [row] = await db.select({ clinic_id: coreMembership.clinic_id })
    .from(coreMembership)
    .leftJoin(lastUsed, eq(lastUsed.clinic_id, coreMembership.clinic_id))
    .where(and(eq(coreMembership.user_id, user_id), eq(coreMembership.active, true)))
    .orderBy(sql`${desc(lastUsed.at)} nulls last`, coreMembership.created_at, coreMembership.clinic_id)
    .limit(1)
  return row?.clinic_id ?? null
}
