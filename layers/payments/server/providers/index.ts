import { problem } from '@svc/kit'
import type { PaymentSettings, ProviderName } from '../../shared/settings.ts'
import type { Provider } from './provider.ts'
import { transfer } from './transfer.ts'

/** Loaded when they are needed: a clinic uses one of them. */
const PROVIDERS: Record<ProviderName, () => Promise<Provider>> = {
  transfer: async () => transfer,
  stripe: async () => (await import('./stripe/stripe.ts')).stripe,
  mollie: async () => (await import('./mollie/mollie.ts')).mollie,
  redsys: async () => (await import('./redsys/redsys.ts')).redsys
}

export const providerOf = (name: ProviderName): Promise<Provider> => PROVIDERS[name]()

/** The clinic's provider. Throws `provider_not_ready` with the settings that are missing. */
export async function readyProvider(settings: PaymentSettings): Promise<Provider> {
  const provider = await providerOf(settings.provider)
  const missing = provider.missing(settings)
  if (missing.length > 0) throw problem('provider_not_ready', { missing })
  return provider
}
