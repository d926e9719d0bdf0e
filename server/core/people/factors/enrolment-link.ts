import { problem, type Actor, type Client } from '@svc/kit'
import { OPERATOR, recordAccount } from '../accounts/record-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { hasAddress } from '../accounts/has-address.ts'
import { isUsable, lockOwnAccount, userFacts } from '../accounts/write-user.ts'
import { openEnrolment } from '../confirmation/own-session.ts'
import { insertMailedToken } from '../mail/mailed-tokens.ts'
import { userOf } from '../accounts/me.ts'
import { openLink } from '../mail/open-link.ts'
import { checkHelp } from './reset-factor.ts'
import type { AccountOwner } from './record-factor.ts'

type Needs = Pick<Host, 'db' | 'secrets'>

/** In the audit log. */
const MADE = { action: 'member_changed', detail: { enrolment_link: true } } as const

/**
 * For a person without a factor after the clinic's week: the password alone must not add one. In the session that opens
 * the link, they can for half an hour. Throws `mailed_token_not_found`, also for another person's link.
 */
export async function openEnrolmentLink(
  { db, secrets }: Needs,
  { token, actor }: { token: string, actor: AccountOwner['actor'] }
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, secrets, userOf(actor))
    const opened = await openLink({ tx, secrets }, { token, purpose: 'enrolment', use: true })
    // Thrown within the transaction, so that another person's link is not changed.
    if (opened.user.id !== user.id) throw problem('mailed_token_not_found')
    await openEnrolment({ tx, secrets }, actor)
  })
}

/**
 * Created by another administrator of the clinic, who hands over the link. Throws like a reset, because it gives access
 * to an account in the same way.
 */
export async function linkForMember(
  host: Needs,
  { id, clinic_id, actor, client }: { id: string, clinic_id: string, actor: Actor, client: Client }
): Promise<string> {
  const { secrets } = host
  return await host.db.transaction(async (tx) => {
    const user = await checkHelp({ tx, secrets }, { id, clinic_id, by: actor.user_id })
    if (user.factors) throw problem('wrong_state', { detail: 'This person already has a second factor.' })
    await recordAudit({ secrets }, tx, { clinic_id, actor, ...MADE, target: { kind: 'user', id }, client })
    return await insertMailedToken({ tx, secrets }, { purpose: 'enrolment', user_id: id })
  })
}

/** Created by the operator. Throws `not_found` or `wrong_state`. */
export async function linkForOperator(host: Needs, email: string): Promise<{ id: string, token: string }> {
  const [user] = await host.db.select(userFacts).from(coreUser).where(hasAddress(email))
  if (!user) throw problem('not_found')
  if (!isUsable(host.secrets, user)) throw problem('wrong_state')
  const { secrets } = host
  const token = await host.db.transaction(async (tx) => {
    await recordAccount(tx, secrets, user.id, { ...OPERATOR, ...MADE })
    return await insertMailedToken({ tx, secrets }, { purpose: 'enrolment', user_id: user.id })
  })
  return { id: user.id, token }
}
