import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { coreFactor } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { issueStep, takeStep } from '../sign-in/sign-in-steps.ts'
import { listFactors, type Factor } from './factors.ts'
import { bytes, challengeOf, credentialsOf, library, relyingParty } from './web-authn.ts'

type Needs = Pick<Host, 'secrets' | 'config'>
type User = SealedRows['user']

/** The purpose of a challenge, and what else its caller must present. A challenge is valid only for its own purpose. */
interface Challenged {
  purpose: 'passkey' | 'confirmation'
  bound_to: string | null
  /** The authenticator must verify its holder, with a fingerprint or a PIN. */ verified: boolean
}

/** For `navigator.credentials.get`; without a person any passkey of this page is accepted. */
export async function passkeyOptions(
  { db, secrets, config }: Needs & { db: Db | Tx },
  { user, purpose, bound_to, verified }: Challenged & { user: User | null }
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id } = relyingParty(config)
  const factors = user ? await listFactors({ db, secrets }, user) : []
  const step = { purpose, bound_to, user_id: purpose === 'confirmation' ? user!.id : null }
  const challenge = await issueStep({ db, secrets }, step)
  const { generateAuthenticationOptions } = await library()
  return await generateAuthenticationOptions({
    rpID: id,
    challenge: bytes(challenge),
    userVerification: verified ? 'required' : 'preferred',
    ...user ? { allowCredentials: credentialsOf(factors) } : {}
  })
}

/** Uses up the challenge, whatever the result. The person must be locked. */
export async function usePasskey(
  { tx, secrets, config }: Needs & { tx: Tx },
  { user, response, purpose, bound_to, verified }: Challenged & { user: User, response: AuthenticationResponseJSON }
): Promise<Factor | null> {
  const { id, origin } = relyingParty(config)
  const challenge = challengeOf(response)
  const step = await takeStep({ db: tx, secrets }, { purpose, secret: challenge, bound_to })
  // A challenge made for a ticket required less, so it is invalid without the ticket.
  if (!step || (step.bound_to === null) !== (bound_to === null)) return null
  const factors = await listFactors({ db: tx, secrets }, user)
  const factor = factors.find(({ kind, credential_id }) => kind === 'passkey' && credential_id === response.id)
  if (!factor) return null
  const { verifyAuthenticationResponse } = await library()
  const shown = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: verified,
    credential: { id: response.id, publicKey: bytes(factor.secret), counter: factor.counter }
  }).catch(() => null) // any fault, including a lower counter, which means a copied authenticator
  if (!shown?.verified) return null
  await tx
    .update(coreFactor)
    .set({ counter: shown.authenticationInfo.newCounter, last_used_at: sql`now()` })
    .where(eq(coreFactor.id, factor.id))
  return factor
}
