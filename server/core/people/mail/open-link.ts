import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { problem, type Tx } from '@svc/kit'
import { coreMailedToken } from '../../db/schema.ts'
import { lockUsableUser } from '../accounts/write-user.ts'
import { linkFacts } from './link-facts.ts'
import { isSealed, lookUps, noLookUp, type SealedRows, type SealingSecrets } from '../seals/row-seals.ts'

interface In { tx: Tx, secrets: SealingSecrets }
interface LinkKey { token: string, purpose: 'enrolment' | 'factor_removal' }

/**
 * The person of a link, locked, and the link's subject. With `use` the link is used up: of any number of concurrent
 * calls, one succeeds. Throws `mailed_token_not_found`.
 */
export async function openLink(
  { tx, secrets }: In,
  { token, purpose, use }: LinkKey & { use: boolean }
): Promise<{ user: SealedRows['user'], factor_id: string | null }> {
  const usable = and(
    inArray(coreMailedToken.token_hash, lookUps(secrets, token)),
    eq(coreMailedToken.purpose, purpose),
    isNull(coreMailedToken.used_at),
    gt(coreMailedToken.expires_at, sql`now()`)
  )
  const [found] = await tx.select(linkFacts).from(coreMailedToken).where(usable)
  const user = found && isSealed(secrets, 'mailed_token', found) && (await lockUsableUser(tx, secrets, found.user_id))
  if (!user) throw problem('mailed_token_not_found')
  if (use) {
    const used = await tx
      .update(coreMailedToken)
      .set({ used_at: sql`now()`, token_hash: noLookUp() })
      .where(usable)
      .returning({ purpose: coreMailedToken.purpose })
    if (used.length === 0) throw problem('mailed_token_not_found')
  }
  return { user, factor_id: found.factor_id }
}
