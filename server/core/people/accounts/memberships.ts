import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { problem, type Client, type Db, type Tx } from '@svc/kit'
import type { PendingMembership } from '../../../../shared/auth.ts'
import { userActor } from './record-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { clock } from '../../clock.ts'
import { coreClinic, coreMailedToken, coreMembership, coreUser } from '../../db/schema.ts'
import { linkFacts } from '../mail/link-facts.ts'
import { isSealed, lookUps, noLookUp, type SealingSecrets } from '../seals/row-seals.ts'
import { isUsable, membershipFacts, sealMembershipRow, userFacts } from './write-user.ts'

interface Parts { db: Db, secrets: SealingSecrets }
interface In { tx: Tx, secrets: SealingSecrets }
interface Key { user_id: string, clinic_id: string }
interface Answer extends Key { accept: boolean, client?: Client }

const isAsked = ({ user_id, clinic_id }: Omit<Key, 'clinic_id'> & { clinic_id?: string }) =>
  and(
    eq(coreMembership.user_id, user_id),
    clinic_id ? eq(coreMembership.clinic_id, clinic_id) : undefined,
    eq(coreMembership.asked, true)
  )

/**
 * Records the person's consent. Does nothing if the clinic no longer waits for it, or if the row was changed outside
 * the service.
 */
export async function agree({ tx, secrets }: In, key: Key): Promise<void> {
  const [row] = await tx.select(membershipFacts).from(coreMembership).where(isAsked(key)).for('update')
  if (!row || !isSealed(secrets, 'membership', row)) return
  await sealMembershipRow(tx, secrets, {
    ...row,
    active: true,
    asked: false,
    consented_at: await clock.now(tx),
    first_name: null,
    last_name: null
  })
}

/**
 * True for people who need no invitation: they have agreed, and have proven their address or got a password from the
 * operator.
 */
export async function isProvenMember(db: Db, { user_id, clinic_id }: Key): Promise<boolean> {
  const rows = await db
    .select({ id: coreUser.id })
    .from(coreMembership)
    .innerJoin(coreUser, eq(coreUser.id, coreMembership.user_id))
    .where(
      and(
        eq(coreMembership.user_id, user_id),
        eq(coreMembership.clinic_id, clinic_id),
        isNotNull(coreMembership.consented_at),
        isNotNull(coreUser.email_proven_at),
        isNotNull(coreUser.password_hash)
      )
    )
  return rows.length > 0
}

/** Clinics that are waiting for the person's answer. */
export async function listAsked(
  { db, secrets }: { db: Db | Tx, secrets: SealingSecrets },
  key: { user_id: string, clinic_id?: string }
): Promise<PendingMembership[]> {
  const rows = await db
    .select({ ...membershipFacts, clinic_name: coreClinic.name })
    .from(coreMembership)
    .innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
    .where(isAsked(key))
    .orderBy(asc(coreClinic.name), asc(coreClinic.id))
  return rows
    .filter(row => isSealed(secrets, 'membership', row))
    .map(({ clinic_id, clinic_name, role }) => ({ clinic_id, clinic_name, role }))
}

/**
 * With a mailed link, which only the mailbox knows. Without an answer, only shows the clinic. Throws
 * `mailed_token_not_found`.
 */
export async function answerByMail(
  { db, secrets }: Parts,
  { token, accept, client }: { token: string, accept?: boolean, client?: Client }
): Promise<PendingMembership> {
  const usable = and(
    inArray(coreMailedToken.token_hash, lookUps(secrets, token)),
    eq(coreMailedToken.purpose, 'membership'),
    isNull(coreMailedToken.used_at),
    gt(coreMailedToken.expires_at, sql`now()`)
  )
  return await db.transaction(async (tx) => {
    const [link] = await tx.select(linkFacts).from(coreMailedToken).where(usable).for('update')
    if (!link?.clinic_id || !isSealed(secrets, 'mailed_token', link)) throw problem('mailed_token_not_found')
    const key = { user_id: link.user_id, clinic_id: link.clinic_id }
    const [membership] = await listAsked({ db: tx, secrets }, key)
    if (!membership) throw problem('mailed_token_not_found')
    if (accept === undefined) return membership
    await tx
      .update(coreMailedToken)
      .set({ used_at: sql`now()`, token_hash: noLookUp() })
      .where(usable)
    await answer({ tx, secrets }, { ...key, accept, client })
    return membership
  })
}

/**
 * By the signed-in person. Throws `not_found`, and `account_unproven` if a clinic chose the password, so that the
 * address may be another person's.
 */
export async function answerSignedIn(
  { db, secrets }: Parts,
  { accept, client, ...key }: Answer
): Promise<PendingMembership> {
  return await db.transaction(async (tx) => {
    const [user] = await tx.select(userFacts).from(coreUser).where(eq(coreUser.id, key.user_id)).for('update')
    const [membership] = await listAsked({ db: tx, secrets }, key)
    if (!membership || !user || !isUsable(secrets, user)) throw problem('not_found')
    if (accept && !user.email_proven_at) throw problem('account_unproven')
    await answer({ tx, secrets }, { ...key, accept, client })
    return membership
  })
}

/** A declined clinic no longer sees the person, but can invite them again. */
async function answer(parts: In, { accept, client, ...key }: Answer): Promise<void> {
  if (accept) await agree(parts, key)
  else await parts.tx.delete(coreMembership).where(isAsked(key))
  await recordAudit(parts, parts.tx, {
    clinic_id: key.clinic_id,
    actor: userActor(key.user_id),
    action: accept ? 'member_changed' : 'member_removed',
    target: { kind: 'user', id: key.user_id },
    detail: { answer: accept ? 'accepted' : 'declined' },
    client
  })
}
