import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { problem, type Client, type Cookie, type Db, type Tx } from '@svc/kit'
import { recordAccount } from '../accounts/record-account.ts'
import { clock } from '../../clock.ts'
import { coreMailedToken, coreMembership, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { accountKey, deviceCookie } from '../sign-in/devices.ts'
import { dropFactors } from '../factors/factors.ts'
import { endRecoveryCodes } from '../factors/recovery-codes.ts'
import { linkFacts } from './link-facts.ts'
import { agree } from '../accounts/memberships.ts'
import { checkNewPassword } from '../passwords/password-rules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { isSealed, lookUpOf, lookUps, noLookUp, sealOf, type SealingSecrets } from '../seals/row-seals.ts'
import { newSecret } from '../new-secret.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { changeUserRow, isUsable, lockUsableUser, lockUser, userFacts } from '../accounts/write-user.ts'

type Needs = Pick<Host, 'db' | 'secrets'>

export type Purpose = 'invitation' | 'password_reset'
type AnyPurpose = typeof coreMailedToken.$inferSelect['purpose']

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const LIFETIME_MS: Record<AnyPurpose, number> = {
  invitation: WEEK_MS,
  handed_invitation: WEEK_MS,
  membership: WEEK_MS,
  handed_membership: WEEK_MS,
  password_reset: HOUR_MS,
  enrolment: HOUR_MS,
  factor_removal: WEEK_MS
}
const TAKES: Record<Purpose, AnyPurpose[]> = {
  invitation: ['invitation', 'handed_invitation', 'handed_membership'],
  password_reset: ['password_reset']
}

const HANDED: AnyPurpose[] = ['handed_invitation', 'handed_membership']
/**
 * The links that a new one ends. A link that was handed over does not end the mailed one, because the mail may still be
 * found in a folder.
 */
const ENDS: Record<AnyPurpose, AnyPurpose[]> = {
  invitation: ['invitation', ...HANDED], membership: ['membership', ...HANDED],
  handed_invitation: HANDED, handed_membership: HANDED, password_reset: ['password_reset'],
  enrolment: ['enrolment'], factor_removal: [] // each factor has its own
}

interface NewToken {
  purpose: AnyPurpose
  user_id: string
  /** The inviting clinic: a new link ends no other clinic's. */ clinic_id?: string
  /** The factor that a `factor_removal` removes. */ factor_id?: string
}

/** Single use; known only to the mailbox, unless handed over. */
export async function issueMailedToken({ db, secrets }: Needs, about: NewToken): Promise<string> {
  return await db.transaction(tx => insertMailedToken({ tx, secrets }, about))
}

/** The same, for callers that record the link in the same transaction. */
export async function insertMailedToken(
  { tx, secrets }: { tx: Tx, secrets: Host['secrets'] },
  { purpose, user_id, clinic_id, factor_id }: NewToken
): Promise<string> {
  const token = newSecret()
  await lockUser(tx, user_id)
  await useUp(tx, { purposes: ENDS[purpose], user_id, clinic_id })
  const expires_at = new Date((await clock.now(tx)).getTime() + LIFETIME_MS[purpose])
  const about = { user_id, clinic_id: clinic_id ?? null, factor_id: factor_id ?? null }
  const row = { token_hash: lookUpOf(secrets, token), purpose, ...about, expires_at }
  await tx.insert(coreMailedToken).values({ ...row, seal: sealOf(secrets, 'mailed_token', row) })
  return token
}

interface NewPassword {
  purpose: Purpose
  token: string
  password: string
  /** Otherwise the person confirms each after signing in. */ remove_factors?: boolean
  client?: Client
}

/**
 * Sets the password of the person whom the mail went to, which proves the address. Every session ends. The browser then
 * counts as known, so that failed attempts of strangers don't delay it. A link that was handed over proves nothing: it
 * gives the same access as a password that the clinic chose, and only while the account belongs to that clinic alone.
 * Throws `mailed_token_not_found`, `account_known`, `validation_failed`.
 */
export async function setPasswordByMail(
  { db, secrets }: Needs,
  { purpose, token, password, remove_factors = false, client }: NewPassword
): Promise<{ user_id: string, /** Its second factors. */ removed: boolean, device: Cookie }> {
  const usable = and(
    inArray(coreMailedToken.token_hash, lookUps(secrets, token)),
    inArray(coreMailedToken.purpose, TAKES[purpose]),
    isNull(coreMailedToken.used_at),
    gt(coreMailedToken.expires_at, sql`now()`)
  )
  // Looked up before the hashing, which is deliberately slow, so that invalid links can't trigger it.
  const [row] = await db
    .select({ link: linkFacts, user: userFacts })
    .from(coreMailedToken)
    .innerJoin(coreUser, eq(coreUser.id, coreMailedToken.user_id))
    .where(usable)
  if (!row || !isSealed(secrets, 'mailed_token', row.link) || !isUsable(secrets, row.user))
    throw problem('mailed_token_not_found')
  if (row.link.purpose === 'handed_membership') throw problem('account_known')
  const { user_id, clinic_id } = row.link
  await checkNewPassword({ password, email: row.user.email, pointer: '/password' })
  const password_hash = await hashPassword(secrets, password)
  const removed = await db.transaction(async (tx) => {
    // Read again: during the hashing a factor may have been added, or the account deactivated.
    const user = await lockUsableUser(tx, secrets, user_id)
    if (!user) throw problem('mailed_token_not_found')
    const removes = remove_factors && user.factors !== null
    const taken = await tx
      .update(coreMailedToken)
      .set(used())
      .where(usable)
      .returning({ purpose: coreMailedToken.purpose })
    const isHanded = taken[0]?.purpose === 'handed_invitation'
    if (taken.length === 0 || (isHanded && !(await isUnclaimed({ db: tx, secrets }, { user_id, clinic_id }))))
      throw problem('mailed_token_not_found')
    await changeUserRow(tx, secrets, {
      id: user_id,
      change: { password_hash, ...(isHanded ? {} : { email_proven_at: await clock.now(tx) }) }
    })
    if (removes) {
      await dropFactors({ tx, secrets }, user)
      await endRecoveryCodes(tx, user_id)
    }
    if (purpose === 'invitation' && clinic_id) await agree({ tx, secrets }, { user_id, clinic_id })
    // Other clinics' invitations stay valid after this answer.
    await useUp(tx, { user_id, purposes: ['invitation', 'handed_invitation', 'password_reset'] })
    await endSessionsOf(tx, { user_id })
    await recordAccount(tx, secrets, user_id, { action: 'password_changed', detail: { by: purpose }, client })
    if (removes)
      await recordAccount(tx, secrets, user_id, { action: 'factor_removed', detail: { factor: 'all' }, client })
    return removes
  })
  const account = accountKey(secrets, row.user.email)
  return { user_id, removed, device: await deviceCookie({ db, secrets }, { account, device: null }) }
}

/**
 * An account that a clinic created and whose answer it waits for: it has no password, no proven address, no active
 * membership in another clinic and no rights over the instance. In a transaction it is locked until the end, because
 * another clinic that adds it meanwhile locks it too. Outside a transaction the result holds only for that moment.
 */
export async function isUnclaimed(
  { db, secrets }: { db: Db | Tx, secrets: SealingSecrets },
  { user_id, clinic_id }: { user_id: string, clinic_id: string | null }
): Promise<boolean> {
  const [user] = await db
    .select(userFacts)
    .from(coreUser)
    .where(
      and(
        eq(coreUser.id, user_id),
        isNull(coreUser.password_hash),
        isNull(coreUser.email_proven_at),
        eq(coreUser.instance_admin, false)
      )
    )
    .for('update')
  if (!user || !isUsable(secrets, user)) return false
  const memberships = await db
    .select({ clinic_id: coreMembership.clinic_id, active: coreMembership.active, asked: coreMembership.asked })
    .from(coreMembership)
    .where(eq(coreMembership.user_id, user_id))
  // A link of an earlier release has no clinic, and its membership was active at once.
  if (clinic_id === null) return memberships.length === 1 && memberships[0]!.active
  const own = memberships.find(member => member.clinic_id === clinic_id)
  return Boolean(own?.active || own?.asked) && memberships.every(member => member === own || !member.active)
}

/** Afterwards, nothing in the row leads back to the link. */
const used = () => ({ used_at: sql`now()`, token_hash: noLookUp() })

export async function useUp(
  tx: Tx,
  { user_id, clinic_id, purposes }: { user_id: string, clinic_id?: string, purposes?: AnyPurpose[] }
): Promise<void> {
  await tx
    .update(coreMailedToken)
    .set(used())
    .where(
      and(
        eq(coreMailedToken.user_id, user_id),
        isNull(coreMailedToken.used_at),
        purposes ? inArray(coreMailedToken.purpose, purposes) : undefined,
        clinic_id ? eq(coreMailedToken.clinic_id, clinic_id) : undefined
      )
    )
}
