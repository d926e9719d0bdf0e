import { problem } from '@svc/kit'
import type { Provider } from './provider.ts'

const never = async () => {
  throw problem('provider_not_ready')
}

/**
 * No provider: the patient transfers the money by their own bank, and the staff mark the request as paid. It works
 * without a connection to anyone.
 */
export const transfer: Provider = {
  name: 'transfer',
  missing: ({ iban, creditor }) => [...(iban === null ? ['iban'] : []), ...(creditor === null ? ['creditor'] : [])],
  createCheckout: never,
  readWebhook: async () => { throw problem('signature_wrong') },
  getStatus: never,
  refund: async () => ({ state: 'done', refund_ref: null, reason: null }),
  test: async (_ctx, { mode }) => ({ ok: true, live: mode === 'live' })
}
