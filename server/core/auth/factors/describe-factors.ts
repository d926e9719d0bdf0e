import { eq } from 'drizzle-orm'
import { reply, type Reply } from '@svc/kit'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { userFacts } from '../../users/write-user.ts'
import { listFactors } from './factors.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

/** Without what they are checked with. */
export async function describeFactors(
  { db, secrets }: Pick<Host, 'db' | 'secrets'>,
  user_id: string
): Promise<Reply> {
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, user_id))
  const data = (await listFactors({ db, secrets }, user!))
    .map(({ id, kind, name, created_at, last_used_at }) => ({ id, kind, name, created_at, last_used_at }))
  const recovery_codes_left = await countRecoveryCodes(db, user_id)
  return reply({ data, meta: { recovery_codes_left } })
}
