import { problem, type Client, type Tx } from '@svc/kit'
import { recordFailedSignIn } from '../sign-in/record-failed.ts'
import { clock } from '../../clock.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { hasAddress } from '../accounts/has-address.ts'
import { changeUserRow, isUsable, userFacts } from '../accounts/write-user.ts'
import type { Proof } from '../confirmation/proofs.ts'
import { dropFactors } from '../factors/factors.ts'
import { endRecoveryCodes } from '../factors/recovery-codes.ts'
import { openSession } from '../sessions/open-session.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { endSessionsOf, type NewSession } from '../sessions/sessions.ts'
import { takeStep } from '../sign-in/sign-in-steps.ts'
import { callbackOf, discover, failedAt, library } from './provider.ts'
import { PROVIDER_COOKIE, PURPOSE, type ProviderState } from './start.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'config' | 'log' | 'audit'>
/** How long ago a person may have signed in at the provider to confirm their identity. */
const JUST_NOW_SECONDS = 300

interface Returned {
  /** The query string of the callback. */ query: string
  cookies: Record<string, string>
  client: Client
}

const refused = () => problem('provider_refused', { see_other: failedAt('provider_refused') })
const unknownAccount = () => problem('provider_account_unknown', { see_other: failedAt('provider_account_unknown') })

/**
 * Handles the browser's return with a code. The account is an existing one with the address that the provider has
 * confirmed. Throws `provider_refused` for a state or nonce that belongs to another browser or was already used,
 * `provider_account_unknown`, `provider_unreachable`.
 */
export async function finishProviderSignIn(
  { db, secrets, config, log, audit }: Needs,
  { query, cookies, client }: Returned
): Promise<NewSession & { to: string }> {
  const kept = readKept(secrets, cookies[PROVIDER_COOKIE])
  const state = new URLSearchParams(query).get('state')
  const isOurs = kept && state
    && (await takeStep({ db, secrets }, { purpose: 'provider', secret: state, bound_to: kept.binding }))
  if (!isOurs) throw refused()
  const email = await askEmail({ config, log }, { query, kept, state })
  if (!email) throw unknownAccount()
  // A person who was already signed in at the provider has not proven anything now, for example on an unattended
  // computer.
  const shown: Proof[] = kept.confirm ? ['provider'] : []
  const session = await db.transaction(async (tx) => {
    const user = await lockHolder({ tx, secrets }, email)
    return user && (await openSession({ tx, secrets }, { user, way: 'provider', shown, client }))
  })
  if (!session) {
    const [known] = await db.select({ id: coreUser.id }).from(coreUser).where(hasAddress(email))
    if (known) recordFailedSignIn({ db, secrets, audit }, { user_id: known.id, code: 'provider_account_unknown', client })
    throw unknownAccount()
  }
  return { ...session, to: kept.to }
}

/** Null if there is none, or if this instance did not seal it. */
function readKept(secrets: Needs['secrets'], sealed: string | undefined): ProviderState | null {
  if (!sealed || !secrets.canOpen(PURPOSE, sealed)) return null
  return JSON.parse(secrets.open(PURPOSE, sealed).toString()) as ProviderState
}

interface ProviderReturn { query: string, kept: ProviderState, state: string }

/** In lower case; null for an address that the provider has not confirmed. */
async function askEmail(host: Pick<Needs, 'config' | 'log'>, { query, kept, state }: ProviderReturn): Promise<string | null> {
  const configuration = await discover(host)
  const { authorizationCodeGrant, fetchUserInfo } = await library()
  try {
    const tokens = await authorizationCodeGrant(configuration, new URL(`${callbackOf(host.config)}?${query}`), {
      pkceCodeVerifier: kept.code_verifier,
      expectedNonce: kept.nonce,
      expectedState: state,
      idTokenExpected: true,
      ...kept.confirm ? { maxAge: JUST_NOW_SECONDS } : {}
    })
    const claims = tokens.claims()!
    const told = claims.email === undefined
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
    return typeof told.email === 'string' && told.email_verified === true ? told.email.trim().toLowerCase() : null
  } catch (error) {
    host.log.warn('sign_in.provider_refused', { error })
    throw refused()
  }
}

/**
 * The provider has confirmed the owner of the address. A password that a clinic chose before that is not the holder's:
 * it is removed, with the factors that were added with it.
 */
async function lockHolder(
  { tx, secrets }: { tx: Tx, secrets: Needs['secrets'] },
  email: string
): Promise<SealedRows['user'] | null> {
  const [user] = await tx.select(userFacts).from(coreUser).where(hasAddress(email)).for('update')
  if (!user || !isUsable(secrets, user)) return null
  if (user.email_proven_at) return user
  const change = { email_proven_at: await clock.now(tx), password_hash: null }
  await changeUserRow(tx, secrets, { id: user.id, change })
  await dropFactors({ tx, secrets }, user)
  await endRecoveryCodes(tx, user.id)
  await endSessionsOf(tx, { user_id: user.id })
  return { ...user, ...change, factors: null, factors_to_review: null }
}
