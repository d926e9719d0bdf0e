import type { Configuration } from 'openid-client'
import { problem } from '@svc/kit'
import type { Config, OidcProvider } from '../../config.ts'
import type { Host } from '../../host.ts'
import { loadOnce } from '../../load-once.ts'
import { isThisMachine } from '../../loopback.ts'

export const library = loadOnce(() => import('openid-client'))

const TIMEOUT_SECONDS = 10
const configurations = new WeakMap<OidcProvider, () => Promise<Configuration>>()

/** Throws `not_found` if the operator has configured none. */
function providerOf({ oidc }: Pick<Config, 'oidc'>): OidcProvider {
  if (!oidc) throw problem('not_found')
  return oidc
}

/** Throws `password_sign_in_off` if people sign in only through their provider. */
export function assertPasswordsAllowed({ oidc }: Pick<Config, 'oidc'>): void {
  if (oidc?.only) throw problem('password_sign_in_off')
}

/**
 * The provider's metadata (OpenID Connect Discovery). Requested at the first sign-in, so that a start does not depend
 * on it. After a failure, the next sign-in requests it again. Throws `provider_unreachable`.
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
    // Signatures of ID tokens are verified, although they come directly from the provider: a proxy or a CDN in between
    // must not be able to forge one. The configuration allows plain http only on this machine.
    execute: [enableNonRepudiationChecks, ...isPlain ? [allowInsecureRequests] : []]
  })
  if (isPlain) checkEndpoints(configuration.serverMetadata())
  return configuration
}

/** A provider on this machine must not redirect to another one over plain http. */
function checkEndpoints(metadata: object): void {
  const elsewhere = Object.values(metadata).find(value =>
    typeof value === 'string' && value.startsWith('http:') && !isThisMachine(new URL(value).hostname))
  if (elsewhere) throw new Error(`the provider names an address of another machine over plain http: ${elsewhere}`)
}

/** The page with the error message for a person who followed a link. */
export const failedAt = (code: string): string => `/login?problem=${code}`

/** The redirect address that is registered with the provider. */
export const callbackOf = ({ base_url }: Pick<Config, 'base_url'>): string => `${base_url}/api/v1/auth/oidc/callback`
