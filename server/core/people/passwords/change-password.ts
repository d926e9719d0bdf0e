import { eq } from 'drizzle-orm'
import { problem, type Client } from '@svc/kit'
import { recordAccount } from '../accounts/record-account.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { noteProofs } from '../confirmation/own-session.ts'
import type { CoreActor } from '../../http/types.ts'
import { userOf } from '../accounts/me.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { changeUserRow, lockVerifiedUser, userFacts } from '../accounts/write-user.ts'

/**
 * The person's other sessions end, and each second factor must be confirmed again. Throws `wrong_password` or
 * `validation_failed`.
 */
export async function changePassword(
  { db, secrets }: Pick<Host, 'db' | 'secrets'>,
  input: { actor: CoreActor, current: string, next: string, client?: Client }
): Promise<void> {
  const user_id = userOf(input.actor)
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, user_id))
  if (!(await verifyPassword(secrets, input.current, user?.password_hash ?? null))) throw problem('wrong_password')
  await checkNewPassword({ password: input.next, email: user!.email, pointer: '/new' })
  const password_hash = await hashPassword(secrets, input.next)
  await db.transaction(async (tx) => {
    if (!(await lockVerifiedUser(tx, secrets, user!))) throw problem('wrong_password')
    await changeUserRow(tx, secrets, { id: user_id, change: { password_hash } })
    if (input.actor.session) await noteProofs({ tx, secrets }, input.actor, ['password'])
    await endSessionsOf(tx, { user_id, keep: input.actor.session?.hash })
    await recordAccount(tx, secrets, user_id, { action: 'password_changed', client: input.client })
  })
}
