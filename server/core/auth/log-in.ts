import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { problem, type Client, type Cookie, type Db, type Tx } from '@svc/kit'
import { entriesAbout, userActor } from '../audit/record-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { coreMembership, coreSession, coreUser } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { accountKey, deviceCookie, findDevice } from './devices.ts'
import { listAsked } from '../users/memberships.ts'
import { verifyPassword } from './passwords.ts'
import { isSealed, type SealedRows } from './row-seals.ts'
import { createSession, type NewSession } from './sessions.ts'
import { takeTry } from './sign-in-tries.ts'
import { isUsable, lockVerifiedUser, membershipFacts, userFacts } from '../users/write-user.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'limits' | 'audit'>
interface Parts { db: Db | Tx, secrets: Needs['secrets'] }
interface Input { email: string, password: string, client: Client, cookies: Record<string, string> }

/**
 * Throws `bad_credentials`, alike for unknown accounts, wrong passwords and people without a clinic, and
 * `too_many_requests`.
 */
export async function logIn(
  { db, secrets, limits, audit }: Needs,
  { email, password, client, cookies }: Input
): Promise<NewSession & { device: Cookie }> {
  const address = email.trim().toLowerCase()
  const account = accountKey(secrets, address)
  const device = await findDevice({ db, secrets }, { account, cookies })
  const user = await findUser({ db, secrets }, address)
  const present = accountKey(secrets, `${address} ${user?.password_hash ?? ''}`)
  const refund = await takeTry(limits, { account: present, address: client.ip_key, device })
  const isRight = await verifyPassword(secrets, password, user?.password_hash ?? null)
  const session = user && isRight ? await openSession({ db, secrets }, user, client) : null
  if (!session) {
    // After the answer: the time that it takes would show that the account is known.
    if (user) audit.record(() => entriesAbout({ db, secrets }, user.id, { action: 'sign_in_failed', client }))
    throw problem('bad_credentials')
  }
  await refund()
  return { ...session, device: await deviceCookie({ db, secrets }, { account, device }) }
}

/** Null for an account that is unknown, deactivated, or changed past the service. */
async function findUser({ db, secrets }: Parts, email: string) {
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.email, email))
  return user && isUsable(secrets, user) ? user : null
}

/** Null for a person without a clinic, and when the password or the account ended while the password was compared. */
async function openSession(
  { db, secrets }: Pick<Needs, 'db' | 'secrets'>,
  verified: SealedRows['user'],
  client: Client
): Promise<NewSession | null> {
  return await db.transaction(async (tx) => {
    const user = await lockVerifiedUser(tx, secrets, verified)
    if (!user) return null
    const clinic_id = await chooseClinic({ db: tx, secrets }, user.id)
    if (!clinic_id && !user.instance_admin && !(await isAskedSomewhere({ db: tx, secrets }, user.id))) return null
    await tx
      .update(coreUser)
      .set({ signed_in_at: sql`now()` })
      .where(and(eq(coreUser.id, user.id), isNull(coreUser.signed_in_at)))
    const session = await createSession({ db: tx, secrets }, { user_id: user.id, clinic_id })
    // A clinic that waits for the person's answer learns nothing.
    if (clinic_id || user.instance_admin)
      await recordAudit({ secrets }, tx, {
        clinic_id,
        actor: userActor(user.id),
        action: 'sign_in',
        target: { kind: 'user', id: user.id },
        client
      })
    return session
  })
}

/** A person whom a clinic asks can sign in to answer. */
const isAskedSomewhere = async (parts: Parts, user_id: string) => (await listAsked(parts, { user_id })).length > 0

/** The clinic of the last session if the person is still a member there, else the one joined first. */
async function chooseClinic({ db, secrets }: Parts, user_id: string): Promise<string | null> {
  const lastUsed = db.select({ clinic_id: coreSession.clinic_id, at: sql`max(${coreSession.last_used_at})`.as('at') })
    .from(coreSession).where(eq(coreSession.user_id, user_id)).groupBy(coreSession.clinic_id).as('last_used')
  const rows = await db.select(membershipFacts)
    .from(coreMembership)
    .leftJoin(lastUsed, eq(lastUsed.clinic_id, coreMembership.clinic_id))
    .where(and(eq(coreMembership.user_id, user_id), eq(coreMembership.active, true)))
    .orderBy(sql`${desc(lastUsed.at)} nulls last`, coreMembership.created_at, coreMembership.clinic_id)
  return rows.find(row => isSealed(secrets, 'membership', row))?.clinic_id ?? null
}
