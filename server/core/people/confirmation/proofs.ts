import type { Db, Tx } from '@svc/kit'
import { clock } from '../../clock.ts'
import type { Confirmed } from '../sessions/sessions.ts'

/** A proof with one of the account's second factors. */
export type FactorProof = 'totp' | 'recovery_code' | 'passkey'
/** `provider`: its sign-in, with the password typed there again. */
export type Proof = 'password' | 'provider' | FactorProof

/** How long a proof counts for changes to what protects the account. */
const FRESH_MS = 5 * 60_000
/**
 * How long a person who opened an enrolment link can add a first factor in that session; installing an app takes time.
 */
const ENROLMENT_MS = 30 * 60_000

/** The columns of a new session. */
export async function confirmedBy(db: Db | Tx, shown: Proof[]): Promise<Confirmed> {
  if (shown.length === 0) return { confirmed_at: null, confirmed_by: null, enrol_until: null }
  return { confirmed_at: await clock.now(db), confirmed_by: shown.join(' '), enrol_until: null }
}

/** The proofs that count now. */
export function freshProofs({ confirmed_at, confirmed_by }: Confirmed, now: Date): Set<Proof> {
  const isFresh = confirmed_at !== null && now.getTime() - confirmed_at.getTime() < FRESH_MS
  return new Set(isFresh ? confirmed_by!.split(' ') as Proof[] : [])
}

/** Adds proofs, which count only as long as the oldest one that still counts, so that no proof counts for too long. */
export function addProofs(session: Confirmed, more: Proof[], now: Date): Confirmed {
  const known = freshProofs(session, now)
  const confirmed_at = known.size > 0 ? session.confirmed_at : now
  return { ...session, confirmed_at, confirmed_by: [...new Set([...known, ...more])].join(' ') }
}

/** Until when the proofs count; null if there are none. */
export const confirmedUntil = ({ confirmed_at }: Confirmed): Date | null =>
  confirmed_at && new Date(confirmed_at.getTime() + FRESH_MS)

export const enrolUntil = (now: Date): Date => new Date(now.getTime() + ENROLMENT_MS)

export type RequiredProof = 'password' | 'provider' | 'factor' | 'link'

interface ProofState {
  /** True if the account has a usable password. */ has_password: boolean
  has_factor: boolean
  /** The clinic's week has passed: the password alone must not add a factor. */ is_overdue: boolean
  session: Confirmed
  now: Date
}

/**
 * What the person must still prove before the account's factors change: the password, or without one a sign-in at the
 * provider or a passkey; if the account has a factor, also that; for an overdue first factor, an enrolment link.
 */
export function findNeeds({ has_password, has_factor, is_overdue, session, now }: ProofState): RequiredProof[] {
  const shown = freshProofs(session, now)
  const showsHolder = has_password ? shown.has('password') : shown.has('provider') || shown.has('passkey')
  const showsFactor = shown.has('totp') || shown.has('recovery_code') || shown.has('passkey')
  const hasLink = shown.has('provider') || (session.enrol_until !== null && session.enrol_until > now)
  return [
    ...showsHolder ? [] : [has_password ? 'password' as const : 'provider' as const],
    ...has_factor && !showsFactor ? ['factor' as const] : [],
    ...is_overdue && !has_factor && !hasLink ? ['link' as const] : []
  ]
}
