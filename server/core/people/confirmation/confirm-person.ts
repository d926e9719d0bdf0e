import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { problem, type Tx } from '@svc/kit'
import { recordFailedSignIn } from '../sign-in/record-failed.ts'
import { clock } from '../../clock.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { lockOwnAccount, lockVerifiedUser, userFacts } from '../accounts/write-user.ts'
import { presentAccount } from '../sign-in/sign-in-attempts.ts'
import { takeCodeOfToday } from '../factors/codes-of-today.ts'
import type { AccountOwner } from '../factors/record-factor.ts'
import { useCode } from '../factors/use-code.ts'
import { passkeyOptions, usePasskey } from '../factors/use-passkey.ts'
import type { CoreActor } from '../../http/types.ts'
import { userOf } from '../accounts/me.ts'
import { verifyPassword } from '../passwords/passwords.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import { confirmationRequired, hasUsablePassword } from './assert-confirmed.ts'
import { changeOwnSession, lockOwnSession } from './own-session.ts'
import { addProofs, confirmedUntil, freshProofs, type FactorProof, type Proof } from './proofs.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'config' | 'limits' | 'audit'>
type User = SealedRows['user']

interface ProofInput {
  password?: string | undefined
  /** From the authenticator app, or a recovery code. */ code?: string | undefined
  passkey?: AuthenticationResponseJSON | undefined
}

/**
 * Confirms the person's identity for five minutes of this session. Throws `wrong_password`, `wrong_code` or
 * `wrong_passkey`, which count as failed sign-ins, `too_many_requests`, and `confirmation_required` for a code without
 * the password, so that nobody can guess codes with only a session.
 */
export async function confirmPerson(
  host: Needs,
  { actor, client, ...shown }: AccountOwner & ProofInput
): Promise<Date> {
  const { db, secrets, config } = host
  const [known] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, userOf(actor)))
  const fail = (code: 'wrong_password' | 'wrong_code' | 'wrong_passkey') => {
    recordFailedSignIn(host, { user_id: known!.id, code, client })
    return problem(code)
  }
  const { password, code, passkey } = shown
  if (password !== undefined && !(hasUsablePassword(config, known!)
    && (await verifyPassword(secrets, password, known!.password_hash)))) throw fail('wrong_password')
  const refund = code === undefined ? null : await takeCodeOfToday(host.limits, presentAccount(secrets, known!))

  const until = await db.transaction(async (tx) => {
    const user = password === undefined
      ? await lockOwnAccount(tx, secrets, known!.id)
      : await lockVerifiedUser(tx, secrets, known!)
    if (!user) throw problem('wrong_password')
    const session = await lockOwnSession({ tx, secrets }, actor)
    const now = await clock.wall(tx)
    const first = firstOf(hasUsablePassword(config, user), freshProofs(session, now), password !== undefined)
    if (first && (code !== undefined || (passkey && first === 'password')))
      throw await confirmationRequired({ tx, secrets }, user, [first])
    const proof = code === undefined && !passkey ? null : await showFactor(host, tx, { user, actor, code, passkey })
    if (proof === 'none') return null // committed, because a failed challenge is used up
    const proofs = [...password === undefined ? [] : ['password' as const], ...proof ? [proof] : []]
    const confirmed = addProofs(session, proofs, now)
    await changeOwnSession({ tx, secrets }, session, confirmed)
    return confirmedUntil(confirmed)!
  }).catch(async (error: unknown) => {
    await refund?.() // nothing was compared
    throw error
  })
  if (!until) throw fail(passkey ? 'wrong_passkey' : 'wrong_code')
  await refund?.()
  return until
}

/** The proof that must come before a code; null if it was given. */
function firstOf(has_password: boolean, shown: Set<Proof>, isPasswordRight: boolean): 'password' | 'provider' | null {
  if (has_password) return isPasswordRight || shown.has('password') ? null : 'password'
  return shown.has('provider') || shown.has('passkey') ? null : 'provider'
}

interface ProofAttempt extends Pick<ProofInput, 'code' | 'passkey'> { user: User, actor: CoreActor }

async function showFactor(
  { secrets, config }: Needs,
  tx: Tx,
  { user, actor, code, passkey }: ProofAttempt
): Promise<FactorProof | 'none'> {
  if (!passkey) return (await useCode({ tx, secrets }, user, code!)) ?? 'none'
  const challenge = challengeOfSession(actor, !hasUsablePassword(config, user))
  return (await usePasskey({ tx, secrets, config }, { user, response: passkey, ...challenge })) ? 'passkey' : 'none'
}

/** If it replaces the password, the authenticator must verify its holder. */
const challengeOfSession = ({ session }: CoreActor, verified: boolean) =>
  ({ purpose: 'confirmation', bound_to: session!.hash.toString('base64url'), verified }) as const

/** Throws `passkeys_unavailable`. */
export async function confirmationOptions(
  { db, secrets, config }: Needs,
  actor: CoreActor
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const [user] = await db.select(userFacts).from(coreUser).where(eq(coreUser.id, userOf(actor)))
  const challenge = challengeOfSession(actor, !hasUsablePassword(config, user!))
  return await passkeyOptions({ db, secrets, config }, { user: user!, ...challenge })
}
