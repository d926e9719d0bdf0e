import { eq } from 'drizzle-orm'
import { problem, type Cookie, type Db } from '@svc/kit'
import { entriesAbout } from '../audit/record-account.ts'
import { coreUser } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { isUsable, lockVerifiedUser, userFacts } from '../users/write-user.ts'
import { accountKey, deviceCookie, findDevice } from './devices.ts'
import { issueTicket, type SecondStep, type Sender, type SignedIn } from './factors/second-step.ts'
import { findPlace, openSession } from './open-session.ts'
import { verifyPassword } from './passwords.ts'
import type { SealedRows } from './row-seals.ts'
import { presentAccount, takeTry } from './sign-in-tries.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'limits' | 'audit'>
type Input = Sender & { email: string, password: string }
/** Without a session where a second factor is due. */
type Outcome = SignedIn | (SecondStep & { cookies: Cookie[] })

/**
 * Throws `bad_credentials`, alike for unknown accounts, wrong passwords and people without a clinic, and
 * `too_many_requests`.
 */
export async function logIn(
  { db, secrets, limits, audit }: Needs,
  { email, password, ...sender }: Input
): Promise<Outcome> {
  const address = email.trim().toLowerCase()
  const account = accountKey(secrets, address)
  const device = await findDevice({ db, secrets }, { account, cookies: sender.cookies })
  const user = await findUser({ db, secrets }, address)
  const present = presentAccount(secrets, { email: address, password_hash: user?.password_hash ?? null })
  const refund = await takeTry(limits, { account: present, address: sender.client.ip_key, device })
  const isRight = await verifyPassword(secrets, password, user?.password_hash ?? null)
  const outcome = user && isRight ? await goOn({ db, secrets }, user, sender) : null
  if (!outcome) {
    const entry = { action: 'sign_in_failed' as const, client: sender.client }
    // After the answer: the time that it takes would show that the account is known.
    if (user)
      audit.record({ action: entry.action, actor_id: user.id }, () => entriesAbout({ db, secrets }, user.id, entry))
    throw problem('bad_credentials')
  }
  await refund()
  if ('ticket' in outcome) return outcome
  return { ...outcome, cookies: [await deviceCookie({ db, secrets }, { account, device })] }
}

/** Null for an account that is unknown, deactivated, or changed past the service. */
async function findUser({ db, secrets }: { db: Db, secrets: Needs['secrets'] }, email: string) {
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.email, email))
  return user && isUsable(secrets, user) ? user : null
}

/** Null for a person without a clinic, and when the password or the account ended while the password was compared. */
async function goOn(
  { db, secrets }: Pick<Needs, 'db' | 'secrets'>,
  verified: SealedRows['user'],
  { client, is_browser }: Sender
) {
  return await db.transaction(async (tx) => {
    const user = await lockVerifiedUser(tx, secrets, verified)
    if (!user) return null
    if (!user.factors) {
      const opened = await openSession({ tx, secrets }, { user, way: null, client })
      return opened && { ...opened, user_id: user.id, way: null }
    }
    const place = await findPlace({ db: tx, secrets }, user)
    return place && (await issueTicket({ tx, secrets }, { user, is_browser }))
  })
}
