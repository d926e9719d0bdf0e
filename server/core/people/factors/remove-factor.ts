import { eq } from 'drizzle-orm'
import { problem, type Tx } from '@svc/kit'
import { recordFailedSignIn } from '../sign-in/record-failed.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { lockOwnAccount, lockVerifiedUser, userFacts } from '../accounts/write-user.ts'
import { assertConfirmed, hasUsablePassword } from '../confirmation/assert-confirmed.ts'
import { noteProofs, openEnrolment } from '../confirmation/own-session.ts'
import { userOf } from '../accounts/me.ts'
import { verifyPassword } from '../passwords/passwords.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { dropFactor, factorIds, factorsToReview, keepFactor } from './factors.ts'
import { recordOwnFactor, type AccountOwner } from './record-factor.ts'
import { endRecoveryCodes, issueRecoveryCodes } from './recovery-codes.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'config' | 'audit'>
interface RemovalRequest extends AccountOwner {
  /** Omitted if the session has proven it lately. */
  password?: string | undefined
}

/**
 * Recovery codes end with the last factor, and with one that the holder does not recognise, since the codes may have
 * been issued with it. Other sessions end. Throws `wrong_password`, `confirmation_required` or `not_found`.
 */
export async function removeFactor(host: Needs, { id, ...asked }: RemovalRequest & { id: string }): Promise<void> {
  await changeFactors(host, asked, async (tx, user) => {
    const { secrets } = host
    if (!factorIds(user).includes(id)) throw problem('not_found')
    const isUnknown = factorsToReview(user).includes(id)
    const { kind, isLast } = await dropFactor({ tx, secrets }, user, id)
    if (isLast || isUnknown) await endRecoveryCodes(tx, user.id)
    // The person has just used it, and may replace it although the clinic's week has passed.
    if (isLast) await openEnrolment({ tx, secrets }, asked.actor)
    await endSessionsOf(tx, { user_id: user.id, keep: asked.actor.session!.hash })
    await recordOwnFactor({ tx, secrets }, asked, { action: 'factor_removed', kind })
  })
}

/**
 * Confirms that a factor is the holder's, after the password has changed. Throws `confirmation_required` or
 * `not_found`.
 */
export async function confirmFactor(host: Needs, { id, ...doer }: AccountOwner & { id: string }): Promise<void> {
  await changeFactors(host, doer, async (tx, user) => {
    if (!factorIds(user).includes(id)) throw problem('not_found')
    await keepFactor({ tx, secrets: host.secrets }, user, id)
  })
}

/** Replaces the recovery codes with ten new ones. Throws `wrong_password`, `confirmation_required` or `wrong_state`. */
export async function renewRecoveryCodes(host: Needs, asked: RemovalRequest): Promise<string[]> {
  return await changeFactors(host, asked, async (tx, user) => {
    if (!user.factors) throw problem('wrong_state', { detail: 'Set up a second factor first.' })
    const codes = await issueRecoveryCodes({ tx, secrets: host.secrets }, user.id)
    await recordOwnFactor({ tx, secrets: host.secrets }, asked, { action: 'factor_added', kind: 'recovery_codes' })
    return codes
  })
}

/** A password in the request counts like an earlier proof. */
async function changeFactors<T>(
  host: Needs,
  { actor, client, password }: RemovalRequest,
  change: (tx: Tx, user: SealedRows['user']) => Promise<T>
): Promise<T> {
  const { db, secrets, config } = host
  const [known] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, userOf(actor)))
  const isRight = password !== undefined && hasUsablePassword(config, known!)
    && (await verifyPassword(secrets, password, known!.password_hash))
  if (password !== undefined && !isRight) {
    recordFailedSignIn(host, { user_id: known!.id, code: 'wrong_password', client })
    throw problem('wrong_password')
  }
  return await db.transaction(async (tx) => {
    const user = isRight ? await lockVerifiedUser(tx, secrets, known!) : await lockOwnAccount(tx, secrets, known!.id)
    if (!user) throw problem('wrong_password')
    if (isRight) await noteProofs({ tx, secrets }, actor, ['password'])
    await assertConfirmed({ tx, secrets, config }, user, actor)
    return await change(tx, user)
  })
}
