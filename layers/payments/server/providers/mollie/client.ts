import type { Ctx } from '@svc/kit'
import { createMollieClient, MollieApiError, type MollieClient } from '@mollie/api-client'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { createFetch, type Call, type Failure } from '../call-provider.ts'

/** What the library calls for each request: `path` is below the API's address. */
type Send = (path: string, request?: SentRequest) => Promise<unknown>
interface SentRequest { method?: string, headers?: Record<string, string>, body?: string }

export const keyOf = ({ mode, mollie_test_key, mollie_live_key }: PaymentSettings): string | null =>
  mode === 'live' ? mollie_live_key : mollie_test_key

/**
 * The library has no option for the way its requests take: it always uses node-fetch with certificates of its own,
 * without a time limit, and repeats for seconds. So its request function is replaced, which types call private.
 */
export function createClient(ctx: Ctx, settings: PaymentSettings): MollieClient {
  const apiKey = keyOf(settings) ?? ''
  const client = createMollieClient({ apiKey })
  const network = (client.payments as unknown as { networkClient?: { networkClient?: { request?: Send } } })
    .networkClient?.networkClient
  if (typeof network?.request !== 'function') throw new Error('this version of @mollie/api-client makes its requests elsewhere')
  network.request = createSend(ctx, { apiKey, base: `${settings.mollie_host}/v2/` })
  return client
}

/** Like the library's own, a failure is a MollieApiError, and no content is `true`. */
function createSend(ctx: Ctx, { apiKey, base }: { apiKey: string, base: string }): Send {
  const fetch = createFetch(ctx)
  return async (path, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await fetch(new URL(path, base), {
      method,
      headers: {
        'authorization': `Bearer ${apiKey}`,
        'accept': 'application/hal+json',
        'content-type': 'application/json',
        ...headers
      },
      body
    })
    if (answer.status === 204) return true
    const json: unknown = await answer.json()
    if (!answer.ok) throw MollieApiError.createFromResponse(json, undefined)
    return json
  }
}

export const callOf = (settings: PaymentSettings): Call => ({ provider: 'mollie', secrets: [keyOf(settings)], classify })

function classify(error: unknown): Failure | null {
  if (!(error instanceof MollieApiError)) return null
  const { statusCode = 0, message } = error
  if (statusCode === 429 || statusCode >= 500) return { kind: 'unreachable', reason: `status_${statusCode}` }
  if (statusCode === 401) return { kind: 'wrong_key', detail: message }
  // 409: the same call is still running, or an equal refund was made a moment ago.
  return statusCode >= 400 && statusCode !== 409 ? { kind: 'refused', detail: message } : null
}
