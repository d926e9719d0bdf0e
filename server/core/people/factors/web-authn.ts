import { isIP } from 'node:net'
import { problem } from '@svc/kit'
import type { Host } from '../../host.ts'
import { loadOnce } from '../../load-once.ts'
import type { Factor } from './factors.ts'

/** Loaded with the first passkey, so that no start and no other sign-in waits for it. */
export const library = loadOnce(() => import('@simplewebauthn/server'))

/**
 * The domain for which passkeys are created, and where alone they work. Throws `passkeys_unavailable` (WebAuthn: an IP
 * address is not a domain).
 */
export function relyingParty({ base_url }: Pick<Host['config'], 'base_url'>): { id: string, origin: string } {
  const { hostname, origin } = new URL(base_url)
  if (!canUsePasskeys({ base_url })) throw problem('passkeys_unavailable')
  return { id: hostname, origin }
}

export const canUsePasskeys = ({ base_url }: { base_url: string }): boolean =>
  isIP(new URL(base_url).hostname.replace(/^\[|\]$/g, '')) === 0

/**
 * EdDSA, ES256, RS256 (COSE), which authenticators support. The library's own list makes Node use experimental ones.
 */
export const ALGORITHMS = [-8, -7, -257]

export const bytes = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

export const credentialsOf = (factors: Factor[]) =>
  factors
    .filter(({ kind }) => kind === 'passkey')
    .map(({ credential_id, transports }) => ({ id: credential_id!, transports: transportsOf(transports) }))

const transportsOf = (text: string | null) => text?.split(' ') ?? []

/** The challenge that the browser signed; a text that matches no step if it can't be parsed. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof data.challenge === 'string' ? data.challenge : ''
  } catch {
    return '' // not what a browser sends
  }
}
