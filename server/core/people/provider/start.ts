import type { Cookie } from '@svc/kit'
import type { Host } from '../../host.ts'
import { newSecret } from '../new-secret.ts'
import { issueStep } from '../sign-in/sign-in-steps.ts'
import { callbackOf, discover, library } from './provider.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'config' | 'log'>

export const PROVIDER_COOKIE = 'svc_oidc'
export const PURPOSE = 'core.oidc'

/** What the browser keeps, sealed, until it returns. */
export interface ProviderState {
  binding: string
  nonce: string
  code_verifier: string
  /** A path of this instance. */ to: string
  /** True if the provider was required to ask for a new sign-in. */ confirm: boolean
}

/** `lax`: the browser returns from the provider's site. */
export const providerCookie = (value: string): Cookie => ({
  name: PROVIDER_COOKIE,
  value,
  path: '/api/v1/auth/oidc',
  http_only: true,
  same_site: 'lax',
  max_age: value ? 600 : 0
})

/**
 * Authorization code with PKCE (RFC 7636), state and nonce. All of them belong to this browser, and the state works
 * once. To confirm the person's identity, the provider requires a new sign-in and reports its time (`auth_time`).
 * Throws `not_found`, `provider_unreachable`.
 */
export async function startProviderSignIn(
  { db, secrets, config, log }: Needs,
  { to, confirm }: { to: string, confirm: boolean }
): Promise<{ location: string, cookie: Cookie }> {
  const configuration = await discover({ config, log })
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } = await library()
  const proof = { binding: newSecret(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() }
  const kept: ProviderState = { ...proof, to, confirm }
  const state = await issueStep({ db, secrets }, { purpose: 'provider', bound_to: kept.binding })
  const location = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: callbackOf(config),
    scope: 'openid email',
    state,
    nonce: kept.nonce,
    code_challenge: await calculatePKCECodeChallenge(kept.code_verifier),
    code_challenge_method: 'S256',
    ...confirm ? { prompt: 'login', max_age: '0' } : {}
  })
  return { location: location.href, cookie: providerCookie(secrets.seal(PURPOSE, JSON.stringify(kept))) }
}
