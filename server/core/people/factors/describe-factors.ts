import { eq } from 'drizzle-orm'
import { reply, type Reply } from '@svc/kit'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { userFacts } from '../accounts/write-user.ts'
import { factorsToReview, listFactors } from './factors.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

/** Without the secrets that verify them. */
export async function describeFactors(
  { db, secrets }: Pick<Host, 'db' | 'secrets'>,
  user_id: string
): Promise<Reply> {
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, user_id))
  const toReview = factorsToReview(user!)
  const factors = await listFactors({ db, secrets }, user!)
  const data = factors.map(({ id, kind, name, browser, created_at, last_used_at }) =>
    ({ id, kind, name, browser, created_at, last_used_at, to_review: toReview.includes(id) }))
  const recovery_codes_left = await countRecoveryCodes(db, user_id)
  return reply({ data, meta: { recovery_codes_left } })
}
