import { and, desc, eq, gt, notInArray, sql } from 'drizzle-orm'
import { problem } from '@svc/kit'
import { clock } from '../../clock.ts'
import { coreFactor } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { lockOwnAccount } from '../accounts/write-user.ts'
import { browserOf } from '../sign-in/browser-of.ts'
import { assertConfirmed } from '../confirmation/assert-confirmed.ts'
import { noteProofs } from '../confirmation/own-session.ts'
import { userOf } from '../accounts/me.ts'
import { isSealed } from '../seals/row-seals.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { addFactor, factorIds, insertFactor, listFactors, useFactor } from './factors.ts'
import { issueRecoveryCodes } from './recovery-codes.ts'
import { recordOwnFactor, type AccountOwner } from './record-factor.ts'
import { newTotp, stepOf, type NewTotp } from './totp.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'config'>

const NAME = 'Authenticator app'

/**
 * A secret that becomes valid with its first code; an earlier unconfirmed one is discarded. Throws `wrong_state` or
 * `confirmation_required`.
 */
export async function startTotp(
  { db, secrets, config }: Needs,
  { actor, client }: AccountOwner
): Promise<Omit<NewTotp, 'sealed'>> {
  const user_id = userOf(actor)
  return await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, secrets, user_id)
    await assertConfirmed({ tx, secrets, config }, user, actor)
    if ((await listFactors({ db: tx, secrets }, user)).some(({ kind }) => kind === 'totp'))
      throw problem('wrong_state', { detail: 'You already have an authenticator app. Remove it first.' })
    await tx.delete(coreFactor).where(isBegun(user))
    const { sealed, ...shown } = newTotp(secrets, { issuer: new URL(config.base_url).hostname, label: user.email })
    await insertFactor({ db: tx, secrets }, {
      user_id,
      kind: 'totp',
      name: NAME,
      browser: browserOf(client.user_agent),
      secret: sealed
    })
    return shown
  })
}

const isBegun = (user: { id: string, factors: string | null }) =>
  and(
    eq(coreFactor.user_id, user.id),
    eq(coreFactor.kind, 'totp'),
    user.factors ? notInArray(coreFactor.id, factorIds(user)) : undefined
  )

/**
 * From now on a sign-in needs it. The code is used up, and counts as a proof. Other sessions end. Throws `wrong_code`,
 * `wrong_state` or `confirmation_required`.
 */
export async function confirmTotp(
  { db, secrets, config }: Needs,
  { code, ...doer }: AccountOwner & { code: string }
): Promise<{ factor_id: string, recovery_codes: string[] }> {
  const user_id = userOf(doer.actor)
  return await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, secrets, user_id)
    await assertConfirmed({ tx, secrets, config }, user, doer.actor)
    const [begun] = await tx
      .select()
      .from(coreFactor)
      .where(and(isBegun(user), gt(coreFactor.created_at, sql`now() - interval '1 hour'`)))
      .orderBy(desc(coreFactor.created_at))
      .limit(1)
    if (!begun || !isSealed(secrets, 'factor', begun))
      throw problem('wrong_state', { detail: 'There is nothing to confirm. Start again.' })
    const counter = stepOf(secrets, { sealed: begun.secret, code: code.replace(/\s/g, ''), now: await clock.wall(tx) })
    if (counter === null || !(await useFactor(tx, { id: begun.id, counter }))) throw problem('wrong_code')
    await addFactor({ tx, secrets }, user, begun.id)
    const recovery_codes = await issueRecoveryCodes({ tx, secrets }, user_id)
    await noteProofs({ tx, secrets }, doer.actor, ['totp'])
    await endSessionsOf(tx, { user_id, keep: doer.actor.session!.hash })
    await recordOwnFactor({ tx, secrets }, doer, { action: 'factor_added', kind: 'totp' })
    return { factor_id: begun.id, recovery_codes }
  })
}
