import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { problem } from '@svc/kit'
import { coreFactor } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { lockOwnAccount } from '../accounts/write-user.ts'
import { browserOf } from '../sign-in/browser-of.ts'
import { assertConfirmed } from '../confirmation/assert-confirmed.ts'
import { noteProofs } from '../confirmation/own-session.ts'
import type { CoreActor } from '../../http/types.ts'
import { userOf } from '../accounts/me.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { issueStep, takeStep } from '../sign-in/sign-in-steps.ts'
import { addFactor, insertFactor, listFactors, type Factor } from './factors.ts'
import { countRecoveryCodes, issueRecoveryCodes } from './recovery-codes.ts'
import { recordOwnFactor, type AccountOwner } from './record-factor.ts'
import { ALGORITHMS, bytes, challengeOf, credentialsOf, library, relyingParty } from './web-authn.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'config'>

/** Binds the enrolment to the session that began it. */
const sessionKey = ({ session }: CoreActor) => session!.hash.toString('base64url')

/** For `navigator.credentials.create`, bound to the session. Throws `confirmation_required`. */
export async function enrolmentOptions(
  { db, secrets, config }: Needs,
  actor: CoreActor
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id, origin } = relyingParty(config)
  const user_id = userOf(actor)
  const { user, known, challenge } = await db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, secrets, user_id)
    await assertConfirmed({ tx, secrets, config }, user, actor)
    const known = await listFactors({ db: tx, secrets }, user)
    const step = { purpose: 'enrolment', user_id, bound_to: sessionKey(actor) } as const
    return { user, known, challenge: await issueStep({ db: tx, secrets }, step) }
  })
  const { generateRegistrationOptions } = await library()
  return await generateRegistrationOptions({
    rpID: id,
    rpName: new URL(origin).host,
    userID: new TextEncoder().encode(user_id),
    userName: user.email,
    challenge: bytes(challenge),
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: credentialsOf(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' }
  })
}

/**
 * The first factor also gets recovery codes. Other sessions end. Throws `passkey_refused`, `wrong_state` or
 * `confirmation_required`.
 */
export async function addPasskey(
  { db, secrets, config }: Needs,
  { actor, client, name, response }: AccountOwner & { name: string, response: RegistrationResponseJSON }
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
    await assertConfirmed({ tx, secrets, config }, user, actor)
    const [taken] = await tx.select({ id: coreFactor.id }).from(coreFactor).where(eq(coreFactor.credential_id, made.id))
    if (taken) throw problem('passkey_refused')
    const factor = await insertFactor(
      { db: tx, secrets },
      {
        user_id,
        kind: 'passkey',
        name,
        browser: browserOf(client.user_agent),
        secret: Buffer.from(made.publicKey).toString('base64url'),
        credential_id: made.id,
        transports: made.transports?.join(' ') || null,
        counter: made.counter
      }
    )
    await addFactor({ tx, secrets }, user, factor.id)
    const hasCodes = (await countRecoveryCodes(tx, user_id)) > 0
    const recovery_codes = hasCodes ? null : await issueRecoveryCodes({ tx, secrets }, user_id)
    await noteProofs({ tx, secrets }, actor, ['passkey'])
    await endSessionsOf(tx, { user_id, keep: actor.session!.hash })
    await recordOwnFactor({ tx, secrets }, { actor, client }, { action: 'factor_added', kind: 'passkey' })
    return { factor, recovery_codes }
  })
}

/** Null if it was made for another page or challenge, or can't be parsed. */
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
  }).catch(() => null) // the library throws for every fault, and all are refused in the same way
  return verified?.verified ? verified.registrationInfo.credential : null
}
