import { problem, type Cookie } from '@svc/kit'
import { recordFailedSignIn } from './record-failed.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { hasAddress } from '../accounts/has-address.ts'
import { isUsable, lockVerifiedUser, userFacts } from '../accounts/write-user.ts'
import { accountKey, deviceCookie, findDevice } from './devices.ts'
import { issueTicket, type SecondStep, type Sender, type SignedIn } from '../factors/second-step.ts'
import { findPlace, openSession } from '../sessions/open-session.ts'
import { verifyPassword } from '../passwords/passwords.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { presentAccount, countAttempt } from './sign-in-attempts.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'limits' | 'audit'>
type Input = Sender & { email: string, password: string }
/** Without a session if a second factor is required. */
type Outcome = SignedIn | (SecondStep & { cookies: Cookie[] })

/**
 * Throws `bad_credentials`, the same for unknown accounts, wrong passwords and people without a clinic, and
 * `too_many_requests`.
 */
export async function signIn(
  { db, secrets, limits, audit }: Needs,
  { email, password, ...sender }: Input
): Promise<Outcome> {
  const address = email.trim().toLowerCase()
  const account = accountKey(secrets, address)
  const device = await findDevice({ db, secrets }, { account, cookies: sender.cookies })
  const [known] = await db.select(userFacts).from(coreUser).where(hasAddress(address))
  // Neither deactivated nor changed outside the service.
  const user = known && isUsable(secrets, known) ? known : null
  const stored = known?.email ?? address
  const present = presentAccount(secrets, { email: stored, password_hash: user?.password_hash ?? null })
  const refund = await countAttempt(limits, { account: present, address: sender.client.ip_key, device })
  const isRight = await verifyPassword(secrets, password, user?.password_hash ?? null)
  const outcome = user && isRight ? await openVerified({ db, secrets }, user, sender) : null
  if (!outcome) {
    if (known) recordFailedSignIn({ db, secrets, audit }, { user_id: known.id, client: sender.client })
    throw problem('bad_credentials')
  }
  await refund()
  if ('ticket' in outcome) return outcome
  return { ...outcome, cookies: [await deviceCookie({ db, secrets }, { account, device })] }
}

/**
 * Null for a person without a clinic, and if the password was changed or the account was deactivated during the
 * comparison.
 */
async function openVerified(
  { db, secrets }: Pick<Needs, 'db' | 'secrets'>,
  verified: SealedRows['user'],
  { client, is_browser }: Sender
) {
  return await db.transaction(async (tx) => {
    const user = await lockVerifiedUser(tx, secrets, verified)
    if (!user) return null
    if (!user.factors) {
      const opened = await openSession({ tx, secrets }, { user, way: null, shown: ['password'], client })
      return opened && { ...opened, user_id: user.id, way: null }
    }
    const place = await findPlace({ db: tx, secrets }, user)
    return place && (await issueTicket({ tx, secrets }, { user, is_browser }))
  })
}
