import { problem } from '@svc/kit'
import { OPERATOR, recordAccount } from '../accounts/record-account.ts'
import { clock } from '../../clock.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { hasAddress } from '../accounts/has-address.ts'
import { changeUserRow, isUsable, userFacts } from '../accounts/write-user.ts'

/**
 * By the operator, who vouches for the address. All sessions end; second factors stay. Throws `not_found`,
 * `validation_failed`, and `wrong_state` for an account that nobody can use.
 */
export async function setPassword(
  { db, secrets }: Pick<Host, 'db' | 'secrets'>,
  { email, password }: { email: string, password: string }
): Promise<string> {
  await checkNewPassword({ password, email, pointer: '/password' })
  const password_hash = await hashPassword(secrets, password)
  return await db.transaction(async (tx) => {
    const [user] = await tx.select(userFacts).from(coreUser).where(hasAddress(email)).for('update')
    if (!user) throw problem('not_found')
    if (!isUsable(secrets, user)) throw problem('wrong_state')
    const email_proven_at = user.email_proven_at ?? (await clock.now(tx))
    await changeUserRow(tx, secrets, { id: user.id, change: { password_hash, email_proven_at } })
    await endSessionsOf(tx, { user_id: user.id })
    await recordAccount(tx, secrets, user.id, { ...OPERATOR, action: 'password_changed' })
    return user.id
  })
}
