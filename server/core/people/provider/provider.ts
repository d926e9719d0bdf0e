import type { Configuration } from 'openid-client'
import { problem } from '@svc/kit'
import type { Config, OidcProvider } from '../../config.ts'
import type { Host } from '../../host.ts'
import { loadOnce } from '../../load-once.ts'
import { isThisMachine } from '../../loopback.ts'

export const library = loadOnce(() => import('openid-client'))

const TIMEOUT_SECONDS = 10
const configurations = new WeakMap<OidcProvider, () => Promise<Configuration>>()

/** Throws `not_found` where the operator has set none. */
function providerOf({ oidc }: Pick<Config, 'oidc'>): OidcProvider {
  if (!oidc) throw problem('not_found')
  return oidc
}

/** Throws `password_sign_in_off` where people sign in through their provider alone. */
export function assertPasswordsAllowed({ oidc }: Pick<Config, 'oidc'>): void {
  if (oidc?.only) throw problem('password_sign_in_off')
}

/**
 * What the provider says of itself (OpenID Connect Discovery). Asked with the first sign-in: a start does not depend on
 * it, and after a failure the next sign-in asks again. Throws `provider_unreachable`.
 */
export async function discover({ config, log }: Pick<Host, 'config' | 'log'>): Promise<Configuration> {
  const provider = providerOf(config)
  const known = configurations.get(provider) ?? loadOnce(() => ask(provider))
  configurations.set(provider, known)
  return await known().catch((error: unknown) => {
    log.warn('sign_in.provider_unreachable', { error })
    throw problem('provider_unreachable', { see_other: failedAt('provider_unreachable') })
  })
}

async function ask({ issuer, client_id, client_secret }: OidcProvider): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await library()
  const isPlain = issuer.startsWith('http:')
  const configuration = await discovery(new URL(issuer), client_id, client_secret, undefined, {
    timeout: TIMEOUT_SECONDS,
    // Signatures of ID tokens are checked, although they come from the provider itself: a proxy or a CDN in between
    // must not be able to make one. The configuration allows plain http on this machine alone.
    execute: [enableNonRepudiationChecks, ...isPlain ? [allowInsecureRequests] : []]
  })
  if (isPlain) checkEndpoints(configuration.serverMetadata())
  return configuration
}

/** A provider on this machine must not lead to another one over plain http. */
function checkEndpoints(metadata: object): void {
  const elsewhere = Object.values(metadata).find(value =>
    typeof value === 'string' && value.startsWith('http:') && !isThisMachine(new URL(value).hostname))
  if (elsewhere) throw new Error(`the provider names an address of another machine over plain http: ${elsewhere}`)
}

/** Where a person who followed a link reads what went wrong. */
export const failedAt = (code: string): string => `/login?problem=${code}`

/** The redirect address that is registered with the provider. */
export const callbackOf = ({ base_url }: Pick<Config, 'base_url'>): string => `${base_url}/api/v1/auth/oidc/callback`
