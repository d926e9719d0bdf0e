import type { Client, Cookie, Limit, ModuleRequest } from '@svc/kit'
import type { Decider } from '../services/decision/decide.ts'
import { cookiePath, tokenHash } from '../services/link/link-token.ts'
import { COOKIE, type LinkSession } from '../services/link/find-link.ts'

/** What everything behind the code can answer. */
export const needsSession = ['link_not_found', 'code_required']

/** Why a patient cannot decide. */
export const undecidable = [
  'content_tampered',
  'already_decided',
  'budget_expired',
  'budget_superseded',
  'budget_cancelled'
]

/** The same of an acceptance. */
export const unacceptable = [...undecidable, 'content_changed', 'selection_incomplete']

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Wrong codes only: ten right ones in a row are fine. The counter's key holds no token. */
export const wrongCodes: Limit[] = [
  {
    name: 'verify-link',
    points: 20,
    seconds: HOUR,
    by: ({ client, params }) => `${client.ip_key} ${tokenHash(params.token ?? '').toString('base64url')}`,
    counts: 'failures'
  },
  { name: 'verify-address', points: 200, seconds: HOUR, by: 'address', counts: 'failures' }
]

/** Limits of wrong short addresses, for one address and for all: with 40 random bits, guessing does not get far. */
export const wrongShortAddresses: Limit[] = [
  { name: 'short-address', points: 20, seconds: HOUR, by: 'address', counts: 'failures' },
  { name: 'short-all', points: 5000, seconds: HOUR, by: () => 'all', counts: 'failures' }
]

/** Prices of selections, a session. The counter's key holds no cookie. */
export const prices: Limit[] = [
  {
    name: 'price',
    points: 120,
    seconds: MINUTE,
    by: ({ cookies }) => tokenHash(cookies[COOKIE] ?? '').toString('base64url'),
    counts: 'requests'
  }
]

/** A decision by link, or in the clinic on a device that the staff handed over. */
export const patientOf = ({ session, client }: ModuleRequest<LinkSession>): { by: Decider, client: Client } => {
  const { handed_by } = session.session
  return {
    by: handed_by === null ? { via: 'remote_link', session } : { via: 'in_clinic', session, witness_id: handed_by },
    client
  }
}

/**
 * Wrong digits, an address and all together: six digits are few. Right ones that are used or ended are no guesses. The
 * QR code's secret can't be guessed.
 */
export const wrongDigits: Limit[] = [
  { name: 'sign-address', points: 20, seconds: HOUR, by: 'address', counts: 'failures' },
  { name: 'sign-all', points: 100, seconds: HOUR, by: () => 'all', counts: 'failures' }
]
export const wrongSecrets: Limit[] = [
  { name: 'scan-address', points: 60, seconds: HOUR, by: 'address', counts: 'failures' }
]

/** The session of one link; the browser sends it to that link's addresses only. */
export const cookie = (token: string, value: string): Cookie => ({
  name: COOKIE,
  value,
  path: cookiePath(token),
  http_only: true,
  same_site: 'strict'
})
