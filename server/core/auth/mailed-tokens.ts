import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { problem, type Db, type Tx } from '@svc/kit'
import { clock } from '../clock.ts'
import { coreMailedToken, coreMembership, coreUser } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { isSealed, lookUpOf, lookUps, noLookUp, sealOf, type SealingSecrets } from './row-seals.ts'
import { newSecret } from './secrets.ts'
import { endSessionsOf } from './sessions.ts'
import { changeUserRow, userFacts } from './write-user.ts'

type Needs = Pick<Services, 'db' | 'secrets'>

export type Purpose = 'invitation' | 'password_reset'
/** Of an invitation whose link the clinic's administrator hands over: whoever brings it has shown no mailbox. */
type Handed = 'handed_invitation'

const HOUR_MS = 3_600_000
const LIFETIME_MS: Record<Purpose | Handed, number> = { invitation: 7 * 24 * HOUR_MS, handed_invitation: 7 * 24 * HOUR_MS, password_reset: HOUR_MS }
const TAKES: Record<Purpose, (Purpose | Handed)[]> = { invitation: ['invitation', 'handed_invitation'], password_reset: ['password_reset'] }

/** What a new link ends. The handed one comes right after a mail that may have gone to a folder, which stays good. */
const ENDS: Record<Purpose | Handed, (Purpose | Handed)[]> = { ...TAKES, handed_invitation: ['handed_invitation'] }

/** Single use; known to the mailbox alone, unless handed over. */
export async function issueMailedToken({ db, secrets }: Needs, { purpose, user_id }: { purpose: Purpose | Handed, user_id: string }): Promise<string> {
  const token = newSecret()
  await db.transaction(async (tx) => {
    await lockUser(tx, user_id)
    await useUp(tx, { purposes: ENDS[purpose], user_id })
    const expires_at = new Date((await clock.now(tx)).getTime() + LIFETIME_MS[purpose])
    const row = { token_hash: lookUpOf(secrets, token), purpose, user_id, expires_at }
    await tx.insert(coreMailedToken).values({ ...row, seal: sealOf(secrets, 'mailed_token', row) })
  })
  return token
}

const linkFacts = {
  token_hash: coreMailedToken.token_hash, purpose: coreMailedToken.purpose, user_id: coreMailedToken.user_id,
  expires_at: coreMailedToken.expires_at, seal: coreMailedToken.seal
}

/**
 * Sets the password of the person whom the mail went to, which proves the address; every session ends. A link that was
 * handed over proves nothing: it is worth what a password is that the clinic chose, and only while the account is that
 * clinic's alone. Throws `mailed_token_not_found`, `validation_failed`.
 */
export async function setPasswordByMail({ db, secrets }: Needs, { purpose, token, password }: { purpose: Purpose, token: string, password: string }): Promise<void> {
  const usable = and(
    inArray(coreMailedToken.token_hash, lookUps(secrets, token)),
    inArray(coreMailedToken.purpose, TAKES[purpose]),
    isNull(coreMailedToken.used_at),
    gt(coreMailedToken.expires_at, sql`now()`)
  )
  // Looked up before the hashing, which is dear on purpose and must not be had for nothing.
  const [row] = await db.select({ link: linkFacts, user: userFacts }).from(coreMailedToken)
    .innerJoin(coreUser, eq(coreUser.id, coreMailedToken.user_id)).where(usable)
  if (!row || !isSealed(secrets, 'mailed_token', row.link) || !isSealed(secrets, 'user', row.user)) throw problem('mailed_token_not_found')
  const user_id = row.user.id
  await checkNewPassword({ password, email: row.user.email, pointer: '/password' })
  const password_hash = await hashPassword(secrets, password)
  await db.transaction(async (tx) => {
    await lockUser(tx, user_id)
    const taken = await tx.update(coreMailedToken).set(used()).where(usable).returning({ purpose: coreMailedToken.purpose })
    const isHanded = taken[0]?.purpose === 'handed_invitation'
    if (taken.length === 0 || (isHanded && !await isUnclaimed({ db: tx, secrets }, user_id))) throw problem('mailed_token_not_found')
    await changeUserRow(tx, secrets, { id: user_id, change: { password_hash, ...isHanded ? {} : { email_proven_at: await clock.now(tx) } } })
    await useUp(tx, { user_id })
    await endSessionsOf(tx, { user_id })
  })
}

/**
 * An account that a clinic made, lets in and nobody has used: no password, no proven address, no other clinic, no power
 * over the instance. In a transaction it is locked until the end, as another clinic that adds it meanwhile locks it; outside of
 * one the answer holds for that moment alone.
 */
export async function isUnclaimed({ db, secrets }: { db: Db | Tx, secrets: SealingSecrets }, user_id: string): Promise<boolean> {
  const [user] = await db.select(userFacts).from(coreUser)
    .where(and(eq(coreUser.id, user_id), isNull(coreUser.password_hash), isNull(coreUser.email_proven_at), eq(coreUser.instance_admin, false))).for('update')
  if (!user || !isSealed(secrets, 'user', user)) return false
  const memberships = await db.select({ active: coreMembership.active }).from(coreMembership).where(eq(coreMembership.user_id, user_id))
  return memberships.length === 1 && memberships[0]!.active
}

/** First of all: who locks links before their person can wait for somebody who does it the other way round. */
const lockUser = (tx: Tx, id: string) => tx.select({ id: coreUser.id }).from(coreUser).where(eq(coreUser.id, id)).for('update')

/** Nothing in the row leads back to the link. */
const used = () => ({ used_at: sql`now()`, token_hash: noLookUp() })

export async function useUp(tx: Tx, { user_id, purposes }: { user_id: string, purposes?: (Purpose | Handed)[] }): Promise<void> {
  await tx.update(coreMailedToken).set(used())
    .where(and(eq(coreMailedToken.user_id, user_id), isNull(coreMailedToken.used_at), purposes ? inArray(coreMailedToken.purpose, purposes) : undefined))
}
