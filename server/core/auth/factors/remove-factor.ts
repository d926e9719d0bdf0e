import { eq } from 'drizzle-orm'
import { problem } from '@svc/kit'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { lockVerifiedUser, userFacts } from '../../users/write-user.ts'
import { verifyPassword } from '../passwords.ts'
import type { SealedRows } from '../row-seals.ts'
import { userOf } from '../me.ts'
import { dropFactor, factorIds } from './factors.ts'
import { recordOwnFactor, type Doer } from './record-factor.ts'
import { endRecoveryCodes, issueRecoveryCodes } from './recovery-codes.ts'

type Needs = Pick<Host, 'db' | 'secrets'>
interface Asked extends Doer { password: string }

/** With the last one the recovery codes end. Throws `wrong_password`, `not_found`. */
export async function removeFactor(host: Needs, { id, password, ...doer }: Asked & { id: string }): Promise<void> {
  const verified = await verify(host, { password, ...doer })
  if (!factorIds(verified).includes(id)) throw problem('not_found')
  await host.db.transaction(async (tx) => {
    const user = await lockVerifiedUser(tx, host.secrets, verified)
    if (!user) throw problem('wrong_password')
    if (!factorIds(user).includes(id)) throw problem('not_found')
    const { kind, isLast } = await dropFactor({ tx, secrets: host.secrets }, user, id)
    if (isLast) await endRecoveryCodes(tx, user.id)
    await recordOwnFactor({ tx, secrets: host.secrets }, doer, { action: 'factor_removed', kind })
  })
}

/** Ten new ones in place of those there are. Throws `wrong_password`, `wrong_state`. */
export async function renewRecoveryCodes(host: Needs, asked: Asked): Promise<string[]> {
  const verified = await verify(host, asked)
  return await host.db.transaction(async (tx) => {
    const user = await lockVerifiedUser(tx, host.secrets, verified)
    if (!user) throw problem('wrong_password')
    if (!user.factors) throw problem('wrong_state', { detail: 'Set up a second factor first.' })
    return await issueRecoveryCodes({ tx, secrets: host.secrets }, user.id)
  })
}

async function verify({ db, secrets }: Needs, { actor, password }: Asked): Promise<SealedRows['user']> {
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, userOf(actor)))
  if (!(await verifyPassword(secrets, password, user?.password_hash ?? null))) throw problem('wrong_password')
  return user!
}
