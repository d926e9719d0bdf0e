import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { problem, type Db, type Tx } from '@svc/kit'
import { coreMailedToken, coreMembership, coreUser } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { hashOfSecret, newSecret } from './secrets.ts'
import { endSessionsOf } from './sessions.ts'

export type Purpose = 'invitation' | 'password_reset'
/** Of an invitation whose link the clinic's administrator hands over: whoever brings it has shown no mailbox. */
type Handed = 'handed_invitation'

const LIFETIME: Record<Purpose | Handed, string> = { invitation: '7 days', handed_invitation: '7 days', password_reset: '1 hour' }
const TAKES: Record<Purpose, (Purpose | Handed)[]> = { invitation: ['invitation', 'handed_invitation'], password_reset: ['password_reset'] }

/** What a new link ends. The handed one comes right after a mail that may have gone to a folder, which stays good. */
const ENDS: Record<Purpose | Handed, (Purpose | Handed)[]> = { ...TAKES, handed_invitation: ['handed_invitation'] }

/** Single use; known to the mailbox alone, unless handed over. */
export async function issueMailedToken(db: Db, { purpose, user_id }: { purpose: Purpose | Handed, user_id: string }): Promise<string> {
  const token = newSecret()
  await db.transaction(async (tx) => {
    await lockUser(tx, user_id)
    await useUp(tx, { purposes: ENDS[purpose], user_id })
    await tx.insert(coreMailedToken)
      .values({ token_hash: hashOfSecret(token), purpose, user_id, expires_at: sql`now() + ${sql.raw(`interval '${LIFETIME[purpose]}'`)}` })
  })
  return token
}

/**
 * Sets the password of the person whom the mail went to, which proves the address; every session ends. A link that was
 * handed over proves nothing: it is worth what a password is that the clinic chose, and only while the account is that
 * clinic's alone. Throws `mailed_token_not_found`, `validation_failed`.
 */
export async function setPasswordByMail({ db, secrets }: Pick<Services, 'db' | 'secrets'>, { purpose, token, password }: { purpose: Purpose, token: string, password: string }): Promise<void> {
  const usable = and(
    eq(coreMailedToken.token_hash, hashOfSecret(token)),
    inArray(coreMailedToken.purpose, TAKES[purpose]),
    isNull(coreMailedToken.used_at),
    gt(coreMailedToken.expires_at, sql`now()`)
  )
  // Looked up before the hashing, which is dear on purpose and must not be had for nothing.
  const [found] = await db.select({ user_id: coreMailedToken.user_id, email: coreUser.email }).from(coreMailedToken)
    .innerJoin(coreUser, eq(coreUser.id, coreMailedToken.user_id)).where(usable)
  if (!found) throw problem('mailed_token_not_found')
  await checkNewPassword({ password, email: found.email, pointer: '/password' })
  const password_hash = await hashPassword(secrets, password)
  await db.transaction(async (tx) => {
    await lockUser(tx, found.user_id)
    const used = await tx.update(coreMailedToken).set({ used_at: sql`now()` }).where(usable).returning({ purpose: coreMailedToken.purpose })
    const isHanded = used[0]?.purpose === 'handed_invitation'
    if (used.length === 0 || (isHanded && !await isUnclaimed(tx, found.user_id))) throw problem('mailed_token_not_found')
    await tx.update(coreUser).set({ password_hash, ...(isHanded ? {} : { email_proven_at: sql`now()` }) }).where(eq(coreUser.id, found.user_id))
    await useUp(tx, { user_id: found.user_id })
    await endSessionsOf(tx, { user_id: found.user_id })
  })
}

/**
 * An account that a clinic made, lets in and nobody has used: no password, no proven address, no other clinic, no power
 * over the instance. In a transaction it is locked until the end, as another clinic that adds it meanwhile locks it; outside of
 * one the answer holds for that moment alone.
 */
export async function isUnclaimed(db: Db | Tx, user_id: string): Promise<boolean> {
  const [user] = await db.select({ id: coreUser.id }).from(coreUser)
    .where(and(eq(coreUser.id, user_id), isNull(coreUser.password_hash), isNull(coreUser.email_proven_at), eq(coreUser.instance_admin, false))).for('update')
  if (!user) return false
  const memberships = await db.select({ active: coreMembership.active }).from(coreMembership).where(eq(coreMembership.user_id, user_id))
  return memberships.length === 1 && memberships[0]!.active
}

/** First of all: who locks links before their person can wait for somebody who does it the other way round. */
const lockUser = (tx: Tx, id: string) => tx.select({ id: coreUser.id }).from(coreUser).where(eq(coreUser.id, id)).for('update')

async function useUp(tx: Tx, { user_id, purposes }: { user_id: string, purposes?: (Purpose | Handed)[] }): Promise<void> {
  await tx.update(coreMailedToken).set({ used_at: sql`now()` })
    .where(and(eq(coreMailedToken.user_id, user_id), isNull(coreMailedToken.used_at), purposes ? inArray(coreMailedToken.purpose, purposes) : undefined))
}
