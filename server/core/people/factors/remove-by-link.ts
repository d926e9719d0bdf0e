import { problem, type Client } from '@svc/kit'
import { recordAccount } from '../accounts/record-account.ts'
import type { Host } from '../../host.ts'
import { changeUserRow } from '../accounts/write-user.ts'
import { openLink } from '../mail/open-link.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { dropFactor, listFactors, type Factor } from './factors.ts'
import { endRecoveryCodes } from './recovery-codes.ts'

type Needs = Pick<Host, 'db' | 'secrets'>

/**
 * With the link in the mail about a new factor that the holder did not add. Without `remove` it only shows what would
 * be removed, so that programs that open links in mails change nothing. With it, the factor, the recovery codes and all
 * sessions end, and the holder must confirm the remaining factors. Throws `mailed_token_not_found`.
 */
export async function removeByLink(
  { db, secrets }: Needs,
  { token, remove, client }: { token: string, remove: boolean, client: Client }
): Promise<{ user_id: string, factor: Pick<Factor, 'kind' | 'name' | 'browser' | 'created_at'> }> {
  return await db.transaction(async (tx) => {
    const { user, factor_id } = await openLink({ tx, secrets }, { token, purpose: 'factor_removal', use: remove })
    const factor = (await listFactors({ db: tx, secrets }, user)).find(({ id }) => id === factor_id)
    if (!factor) throw problem('mailed_token_not_found', { detail: 'This factor was already removed.' })
    const { kind, name, browser, created_at } = factor
    if (remove) {
      const left = (await dropFactor({ tx, secrets }, user, factor.id)).left
      await changeUserRow(tx, secrets, { id: user.id, change: { factors_to_review: left } })
      await endRecoveryCodes(tx, user.id)
      await endSessionsOf(tx, { user_id: user.id })
      await recordAccount(tx, secrets, user.id, {
        action: 'factor_removed',
        detail: { factor: kind, by: 'link' },
        client
      })
    }
    return { user_id: user.id, factor: { kind, name, browser, created_at } }
  })
}
