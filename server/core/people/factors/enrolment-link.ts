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
import type { Doer } from './record-factor.ts'

type Needs = Pick<Host, 'db' | 'secrets'>

/** In the audit log. */
const MADE = { action: 'member_changed', detail: { enrolment_link: true } } as const

/**
 * A clinic's week is over and the person has no factor: the password alone must not add one. In the session that opens
 * the link, they can for half an hour. Throws `mailed_token_not_found`, for another person's too.
 */
export async function openEnrolmentLink(
  { db, secrets }: Needs,
  { token, actor }: { token: string, actor: Doer['actor'] }
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, secrets, userOf(actor))
    const opened = await openLink({ tx, secrets }, { token, purpose: 'enrolment', use: true })
    // Thrown within the transaction: another person's link stays as it was.
    if (opened.user.id !== user.id) throw problem('mailed_token_not_found')
    await openEnrolment({ tx, secrets }, actor)
  })
}

/**
 * By another administrator of the clinic, who hands the link over. Throws what a reset does: it lets someone into an
 * account in the same way.
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

/** By the operator. Throws `not_found`, `wrong_state`. */
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
