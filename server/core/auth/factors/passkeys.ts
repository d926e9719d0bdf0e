import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON
} from '@simplewebauthn/server'
import { eq, sql } from 'drizzle-orm'
import { problem, type Tx } from '@svc/kit'
import { recordFailedSignIn } from '../../audit/record-failed.ts'
import { coreFactor, coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { loadOnce } from '../../load-once.ts'
import { lockOwnAccount, lockUsableUser, userFacts } from '../../users/write-user.ts'
import { accountKey, deviceCookie, findDevice } from '../devices.ts'
import type { CoreActor } from '../find-actor.ts'
import { userOf } from '../me.ts'
import { openSession } from '../open-session.ts'
import type { SealedRows } from '../row-seals.ts'
import { issueStep, takeStep } from '../sign-in-steps.ts'
import { addFactor, insertFactor, listFactors, type Factor } from './factors.ts'
import { countRecoveryCodes, issueRecoveryCodes } from './recovery-codes.ts'
import { recordOwnFactor, type Doer } from './record-factor.ts'
import { findTicket, finish, type Sender, type SignedIn } from './second-step.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'limits' | 'config' | 'audit'>
type User = SealedRows['user']

/** Loads with the first passkey: no start and no other sign-in waits for it. */
const library = loadOnce(() => import('@simplewebauthn/server'))

/** What passkeys are made for; they work nowhere else. Throws `passkeys_unavailable` (WebAuthn: an IP is no domain). */
function relyingParty({ base_url }: Pick<Host['config'], 'base_url'>): { id: string, origin: string } {
  const { hostname, origin } = new URL(base_url)
  if (!canUsePasskeys({ base_url })) throw problem('passkeys_unavailable')
  return { id: hostname, origin }
}

export const canUsePasskeys = ({ base_url }: { base_url: string }): boolean =>
  isIP(new URL(base_url).hostname.replace(/^\[|\]$/g, '')) === 0

/** EdDSA, ES256, RS256 (COSE): what authenticators have. The library's own list asks Node for experimental ones. */
const ALGORITHMS = [-8, -7, -257]

const bytes = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

/** For `navigator.credentials.create`, bound to the session. */
export async function enrolmentOptions(
  { db, secrets, config }: Needs,
  actor: CoreActor
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id, origin } = relyingParty(config)
  const user_id = userOf(actor)
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, user_id))
  const known = await listFactors({ db, secrets }, user!)
  const challenge = await issueStep(
    { db, secrets },
    { purpose: 'enrolment', user_id, bound_to: sessionKey(actor) }
  )
  const { generateRegistrationOptions } = await library()
  return await generateRegistrationOptions({
    rpID: id,
    rpName: new URL(origin).host,
    userID: new TextEncoder().encode(user_id),
    userName: user!.email,
    challenge: bytes(challenge),
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: credentialsOf(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' }
  })
}

const sessionKey = ({ session }: CoreActor) => session!.hash.toString('base64url')

const credentialsOf = (factors: Factor[]) =>
  factors
    .filter(({ kind }) => kind === 'passkey')
    .map(({ credential_id, transports }) => ({ id: credential_id!, transports: transportsOf(transports) }))

const transportsOf = (text: string | null) => text?.split(' ') ?? []

/** Recovery codes come with the first factor. Throws `passkey_refused`, `wrong_state`. */
export async function addPasskey(
  { db, secrets, config }: Needs,
  { actor, client, name, response }: Doer & { name: string, response: RegistrationResponseJSON }
): Promise<{ factor: Factor, recovery_codes: string[] | null }> {
  const user_id = userOf(actor)
  const challenge = challengeOf(response)
  const step = await takeStep(
    { db, secrets },
    { purpose: 'enrolment', secret: challenge, bound_to: sessionKey(actor) }
  )
  const made = step?.user_id === user_id ? await verifyEnrolment(config, response, challenge) : null
  if (!made) throw problem('passkey_refused')
  return await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, secrets, user_id)
    const [taken] = await tx.select({ id: coreFactor.id }).from(coreFactor).where(eq(coreFactor.credential_id, made.id))
    if (taken) throw problem('passkey_refused')
    const factor = await insertFactor(
      { db: tx, secrets },
      {
        user_id,
        kind: 'passkey',
        name,
        secret: Buffer.from(made.publicKey).toString('base64url'),
        credential_id: made.id,
        transports: made.transports?.join(' ') || null,
        counter: made.counter
      }
    )
    await addFactor({ tx, secrets }, user, factor.id)
    const hasCodes = (await countRecoveryCodes(tx, user_id)) > 0
    const recovery_codes = hasCodes ? null : await issueRecoveryCodes({ tx, secrets }, user_id)
    await recordOwnFactor({ tx, secrets }, { actor, client }, { action: 'factor_added', kind: 'passkey' })
    return { factor, recovery_codes }
  })
}

/** Null for what was made for another page or challenge, or can't be read. */
async function verifyEnrolment(config: Needs['config'], response: RegistrationResponseJSON, challenge: string) {
  const { id, origin } = relyingParty(config)
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: false
  }).catch(() => null) // the library throws for each thing that is wrong with it: all are refused alike
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** Of what the browser signed; any text for what can't be read, which no step knows. */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof data.challenge === 'string' ? data.challenge : ''
  } catch {
    return '' // not what a browser sends
  }
}

/**
 * For `navigator.credentials.get`: with a ticket as the second factor, else instead of the password, which needs an
 * authenticator that knows its holder. Throws `ticket_ended`.
 */
export async function signInOptions(
  { db, secrets, config }: Needs,
  { ticket, cookies }: { ticket?: string | undefined, cookies: Record<string, string> }
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id } = relyingParty(config)
  const user = ticket ? await findTicket({ db, secrets }, { ticket, cookies }) : null
  const factors = user ? await listFactors({ db, secrets }, user) : []
  const challenge = await issueStep({ db, secrets }, { purpose: 'passkey', bound_to: ticket ?? null })
  const { generateAuthenticationOptions } = await library()
  return await generateAuthenticationOptions({
    rpID: id,
    challenge: bytes(challenge),
    userVerification: user ? 'preferred' : 'required',
    ...user ? { allowCredentials: credentialsOf(factors) } : {}
  })
}

interface Shown { response: AuthenticationResponseJSON, ticket?: string | undefined }

/** Throws `passkey_wrong`, and with a ticket `ticket_ended` and `too_many_requests`. */
export async function signInWithPasskey(
  host: Needs,
  { response, ticket, ...sender }: Sender & Shown
): Promise<SignedIn> {
  const { db, secrets } = host
  const check = (tx: Tx, user: User) => usePasskey(host, tx, { user, response, ticket })
  if (ticket) return await finish(host, { ticket, ...sender, failure: 'passkey_wrong' }, check)

  const [owner] = await db
    .select({ id: coreFactor.user_id })
    .from(coreFactor)
    .where(eq(coreFactor.credential_id, response.id))
  const session = owner && await db.transaction(async (tx) => {
    const user = await lockUsableUser(tx, secrets, owner.id)
    if (!user || !(await check(tx, user))) return null
    const opened = await openSession({ tx, secrets }, { user, way: 'passkey', client: sender.client })
    return opened && { ...opened, user_id: user.id, email: user.email }
  })
  if (!session) {
    if (owner) recordFailedSignIn(host, { user_id: owner.id, code: 'passkey_wrong', client: sender.client })
    throw problem('passkey_wrong')
  }
  const { email, ...opened } = session
  const account = accountKey(secrets, email)
  const device = await findDevice({ db, secrets }, { account, cookies: sender.cookies })
  return { ...opened, way: 'passkey', cookies: [await deviceCookie({ db, secrets }, { account, device })] }
}

/** The challenge is over, whatever comes of it. The person is locked. */
async function usePasskey(
  { secrets, config }: Needs,
  tx: Tx,
  { user, response, ticket }: Shown & { user: User }
): Promise<'passkey' | null> {
  const { id, origin } = relyingParty(config)
  const challenge = challengeOf(response)
  const step = await takeStep({ db: tx, secrets }, { purpose: 'passkey', secret: challenge, bound_to: ticket ?? null })
  // A challenge that was made for a ticket asked for less, and is worth nothing without it.
  if (!step || (step.bound_to === null) !== (ticket === undefined)) return null
  const factors = await listFactors({ db: tx, secrets }, user)
  const factor = factors.find(({ kind, credential_id }) => kind === 'passkey' && credential_id === response.id)
  if (!factor) return null
  const { verifyAuthenticationResponse } = await library()
  const shown = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: ticket === undefined,
    credential: { id: response.id, publicKey: bytes(factor.secret), counter: factor.counter }
  }).catch(() => null) // wrong in any way, also a counter that went back: a copy of the authenticator
  if (!shown?.verified) return null
  await tx
    .update(coreFactor)
    .set({ counter: shown.authenticationInfo.newCounter, last_used_at: sql`now()` })
    .where(eq(coreFactor.id, factor.id))
  return 'passkey'
}
