import type { Db, Tx } from '@svc/kit'
import { clock } from '../../clock.ts'
import type { Confirmed } from '../sessions/sessions.ts'

/** What a person shows of the account's second factors. */
export type FactorProof = 'totp' | 'recovery_code' | 'passkey'
/** `provider`: its sign-in, with the password typed there again. */
export type Proof = 'password' | 'provider' | FactorProof

/** So long what was shown counts for what protects the account. */
const FRESH_MS = 5 * 60_000
/** So long a person who opened an enrolment link can add a first factor in that session: an app may need installing. */
const ENROLMENT_MS = 30 * 60_000

/** Of a new session. */
export async function confirmedBy(db: Db | Tx, shown: Proof[]): Promise<Confirmed> {
  if (shown.length === 0) return { confirmed_at: null, confirmed_by: null, enrol_until: null }
  return { confirmed_at: await clock.now(db), confirmed_by: shown.join(' '), enrol_until: null }
}

/** Those that count now. */
export function freshProofs({ confirmed_at, confirmed_by }: Confirmed, now: Date): Set<Proof> {
  const isFresh = confirmed_at !== null && now.getTime() - confirmed_at.getTime() < FRESH_MS
  return new Set(isFresh ? confirmed_by!.split(' ') as Proof[] : [])
}

/** With more: they count as long as the first that still counts, so that no proof is ever older than that. */
export function addProofs(session: Confirmed, more: Proof[], now: Date): Confirmed {
  const known = freshProofs(session, now)
  const confirmed_at = known.size > 0 ? session.confirmed_at : now
  return { ...session, confirmed_at, confirmed_by: [...new Set([...known, ...more])].join(' ') }
}

/** Until when what was shown counts; null: nothing does. */
export const confirmedUntil = ({ confirmed_at }: Confirmed): Date | null =>
  confirmed_at && new Date(confirmed_at.getTime() + FRESH_MS)

export const enrolUntil = (now: Date): Date => new Date(now.getTime() + ENROLMENT_MS)

export type Need = 'password' | 'provider' | 'factor' | 'link'

interface Standing {
  /** The account has a password that opens it. */ has_password: boolean
  has_factor: boolean
  /** A clinic's week for a second factor is over: the password alone must not add the first. */ is_overdue: boolean
  session: Confirmed
  now: Date
}

/**
 * What the person still has to show before the account's factors change: the password, or without one a sign-in at the
 * provider or a passkey; of an account that has a factor also that; for an overdue first factor an enrolment link.
 */
export function findNeeds({ has_password, has_factor, is_overdue, session, now }: Standing): Need[] {
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
