import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { problem } from '@svc/kit'
import { recordFailedSignIn } from '../sign-in/record-failed.ts'
import { coreFactor } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { lockUsableUser } from '../accounts/write-user.ts'
import { accountKey, deviceCookie, findDevice } from '../sign-in/devices.ts'
import { openSession } from '../sessions/open-session.ts'
import { factorsToReview } from './factors.ts'
import { findTicket, finish, type Sender, type SignedIn } from './second-step.ts'
import { passkeyOptions, usePasskey } from './use-passkey.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'limits' | 'config' | 'audit'>

/**
 * With a ticket as the second factor, otherwise instead of the password, which requires an authenticator that verifies
 * its holder. Throws `ticket_ended`.
 */
export async function signInOptions(
  host: Needs,
  { ticket, cookies }: { ticket?: string | undefined, cookies: Record<string, string> }
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const user = ticket ? await findTicket(host, { ticket, cookies }) : null
  return await passkeyOptions(host, { user, ...challengeFor(ticket) })
}

const challengeFor = (ticket: string | undefined) =>
  ({ purpose: 'passkey', bound_to: ticket ?? null, verified: ticket === undefined }) as const

interface PasskeyAnswer { response: AuthenticationResponseJSON, ticket?: string | undefined }

/** Throws `passkey_wrong`, `passkey_to_review`, and with a ticket `ticket_ended` and `too_many_requests`. */
export async function signInWithPasskey(
  host: Needs,
  { response, ticket, ...sender }: Sender & PasskeyAnswer
): Promise<SignedIn> {
  if (!ticket) return await signInAlone(host, { response, ...sender })
  const challenge = challengeFor(ticket)
  return await finish(host, { ticket, ...sender, failure: 'passkey_wrong' }, async (tx, user) =>
    (await usePasskey({ tx, ...host }, { user, response, ...challenge })) ? 'passkey' : null)
}

/**
 * A passkey that its holder has not confirmed since the password changed can't replace the password: it may be a
 * thief's.
 */
async function signInAlone(
  host: Needs,
  { response, client, cookies }: Omit<Sender, 'is_browser'> & PasskeyAnswer
): Promise<SignedIn> {
  const { db, secrets } = host
  const [owner] = await db
    .select({ id: coreFactor.user_id })
    .from(coreFactor)
    .where(eq(coreFactor.credential_id, response.id))
  const session = owner && await db.transaction(async (tx) => {
    const user = await lockUsableUser(tx, secrets, owner.id)
    const factor = user && (await usePasskey({ tx, ...host }, { user, response, ...challengeFor(undefined) }))
    if (!factor) return null
    if (factorsToReview(user).includes(factor.id)) return 'to_review'
    const opened = await openSession({ tx, secrets }, { user, way: 'passkey', shown: ['passkey'], client })
    return opened && { ...opened, user_id: user.id, email: user.email }
  })
  if (!session || session === 'to_review') {
    const code = session ? 'passkey_to_review' : 'passkey_wrong'
    if (owner) recordFailedSignIn(host, { user_id: owner.id, code, client })
    throw problem(code)
  }
  const { email, ...opened } = session
  const account = accountKey(secrets, email)
  const device = await findDevice({ db, secrets }, { account, cookies })
  return { ...opened, way: 'passkey', cookies: [await deviceCookie({ db, secrets }, { account, device })] }
}
