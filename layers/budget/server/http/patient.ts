import type { Client, Cookie, Ctx, Limit, ModuleRequest } from '@svc/kit'
import type { FoundLink } from '../db/links.ts'
import type { Decider } from '../services/decision/decide.ts'
import { cookiePath, tokenHash } from '../services/link/link-token.ts'
import { COOKIE, getLink, type LinkSession } from '../services/link/find-link.ts'

/** The problems of every endpoint that needs a code. */
export const needsSession = ['link_not_found', 'code_required']

/** Reasons why a patient cannot decide. */
export const undecidable = [
  'content_tampered',
  'already_decided',
  'budget_expired',
  'budget_superseded',
  'budget_cancelled'
]

/** The same for an acceptance. */
export const unacceptable = [...undecidable, 'content_changed', 'selection_incomplete']

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Counts only wrong codes: ten correct ones in a row are fine. The counter's key contains no token. */
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

/** Limits of wrong short addresses, per caller's address and in total: with 40 random bits, guessing is hopeless. */
export const wrongShortAddresses: Limit[] = [
  { name: 'short-address', points: 20, seconds: HOUR, by: 'address', counts: 'failures' },
  { name: 'short-all', points: 5000, seconds: HOUR, by: () => 'all', counts: 'failures' }
]

/** Prices of selections, per session. The counter's key contains no cookie. */
export const prices: Limit[] = [
  {
    name: 'price',
    points: 120,
    seconds: MINUTE,
    by: ({ cookies }) => tokenHash(cookies[COOKIE] ?? '').toString('base64url'),
    counts: 'requests'
  }
]

/** The `access` of endpoints for anyone who has the link. Throws `link_not_found`. */
export const knownLink = (request: ModuleRequest, ctx: Ctx): Promise<FoundLink> =>
  getLink(ctx, request.params.token ?? '')

/** Codes by a channel cost money, and must not be used to disturb people. The counter's key contains no token. */
const byLink: Limit['by'] = ({ params }) => tokenHash(params.token ?? '').toString('base64url')
export const codes: Limit[] = [
  { name: 'codes-link-hour', points: 3, seconds: HOUR, by: byLink, counts: 'successes' },
  { name: 'codes-link-day', points: 10, seconds: 24 * HOUR, by: byLink, counts: 'successes' },
  {
    name: 'codes-clinic',
    points: 200,
    seconds: HOUR,
    by: ({ session }) => (session as FoundLink).budget.clinic_id,
    counts: 'successes'
  }
]

/** A decision by link, or in the clinic on a device that staff handed over. */
export const patientOf = ({ session, client }: ModuleRequest<LinkSession>): { by: Decider, client: Client } => {
  const { handed_by } = session.session
  return {
    by: handed_by === null ? { via: 'remote_link', session } : { via: 'in_clinic', session, witness_id: handed_by },
    client
  }
}

/**
 * Limits of wrong digits, per address and in total, because six digits are few. Correct digits that were used or have
 * expired don't count as guesses. The QR code's secret can't be guessed.
 */
export const wrongDigits: Limit[] = [
  { name: 'sign-address', points: 20, seconds: HOUR, by: 'address', counts: 'failures' },
  { name: 'sign-all', points: 100, seconds: HOUR, by: () => 'all', counts: 'failures' }
]
export const wrongSecrets: Limit[] = [
  { name: 'scan-address', points: 60, seconds: HOUR, by: 'address', counts: 'failures' }
]

/** The session of one link; the browser sends it only to that link's paths. */
export const cookie = (token: string, value: string): Cookie => ({
  name: COOKIE,
  value,
  path: cookiePath(token),
  http_only: true,
  same_site: 'strict'
})
