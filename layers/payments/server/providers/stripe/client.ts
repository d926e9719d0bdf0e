import type { Ctx } from '@svc/kit'
import Stripe from 'stripe'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { createFetch, type Call, type Failure } from '../call-provider.ts'

export const keysOf = (settings: PaymentSettings) => settings.mode === 'live'
  ? { key: settings.stripe_live_key, webhook_secret: settings.stripe_live_webhook_secret }
  : { key: settings.stripe_test_key, webhook_secret: settings.stripe_test_webhook_secret }

export function createClient(ctx: Ctx, settings: PaymentSettings): Stripe {
  const { protocol, hostname, port } = new URL(settings.stripe_host)
  const isPlain = protocol === 'http:'
  return new Stripe(keysOf(settings).key ?? '', {
    httpClient: Stripe.createFetchHttpClient(createFetch(ctx) as typeof fetch),
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    // The caller repeats, with the same idempotency key.
    maxNetworkRetries: 0,
    telemetry: false
  })
}

export function callOf(settings: PaymentSettings): Call {
  const { key, webhook_secret } = keysOf(settings)
  return { provider: 'stripe', secrets: [key, webhook_secret], classify }
}

function classify(error: unknown): Failure | null {
  if (!(error instanceof Stripe.errors.StripeError)) return null
  const status = error.statusCode ?? 0
  if (status === 429 || status >= 500) return { kind: 'unreachable', reason: `status_${status}` }
  if (error instanceof Stripe.errors.StripeAuthenticationError) return { kind: 'wrong_key', detail: error.message }
  // 409: the same call is still running.
  if (status < 400 || status === 409) return null
  return { kind: 'refused', detail: error.message }
}
