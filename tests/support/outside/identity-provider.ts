import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface Identity { email?: string, email_verified?: boolean }

export interface IdentityProvider {
  issuer: string
  env: Record<string, string>
  /** Opens its pages, for a service with this address. */
  register (base_url: string): void
  /** The person in front of its pages. */
  person: Identity
  /** Replaces its ID tokens, as a proxy in between could; null for none. */
  forge: ((token: string) => string) | null
  /** Follows the redirects of the browser through its pages, from the sign-in to the return. */
  walk (location: string): Promise<string>
  close (): Promise<void>
}

const CLIENT = { client_id: 'dental-budgets', client_secret: randomBytes(24).toString('hex') }

/** A real provider on loopback (`oidc-provider`), which signs in anyone without a password. */
export async function anIdentityProvider(): Promise<IdentityProvider> {
  const server = createServer()
  const port = await new Promise<number>(resolve =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  )
  const issuer = `http://127.0.0.1:${port}`
  const state: { person: Identity, forge: IdentityProvider['forge'] } = { person: {}, forge: null }
  let provider: Provider | undefined
  const open = (redirect: string) => new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirect] }],
    jwks: { keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] as never },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/in-front/${interaction.uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...JSON.parse(Buffer.from(id, 'base64url').toString()) as Identity })
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    }
  })
  server.on('request', (request, response) => {
    if (!provider) return void response.writeHead(503).end()
    if (request.url === '/token' && state.forge) replaceToken(response, state.forge)
    if (!request.url!.startsWith('/in-front/')) return void provider.callback()(request, response)
    const accountId = Buffer.from(JSON.stringify(state.person)).toString('base64url')
    void provider.interactionFinished(request, response, { login: { accountId } })
  })

  return {
    issuer,
    env: {
      SVC_OIDC_ISSUER: issuer,
      SVC_OIDC_CLIENT_ID: CLIENT.client_id,
      SVC_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      SVC_OIDC_LABEL: 'Clinic login'
    },
    register(base_url) { provider = open(`${base_url}/api/v1/auth/oidc/callback`) },
    get person() { return state.person },
    set person(person) { state.person = person },
    get forge() { return state.forge },
    set forge(forge) { state.forge = forge },
    async walk(location) {
      const cookies = new Map<string, string>()
      for (let url = location; ;) {
        if (!url.startsWith(issuer)) return url
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [name, value] = line.split(';')[0]!.split(/=(.*)/s) as [string, string]
          cookies.set(name, value)
        }
        const next = response.headers.get('location')
        if (!next) throw new Error(`${response.status} of the provider: ${await response.text()}`)
        url = new URL(next, url).href
      }
    },
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

/** Its answer with another ID token. */
function replaceToken(response: ServerResponse, forge: (token: string) => string): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse
  response.end = ((body: string | Buffer) => {
    const answer = JSON.parse(body.toString()) as { id_token: string }
    const forged = JSON.stringify({ ...answer, id_token: forge(answer.id_token) })
    response.setHeader('content-length', Buffer.byteLength(forged))
    return end(forged)
  }) as never
}
