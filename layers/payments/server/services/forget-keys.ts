import type { ClinicEffect, ClinicSettings, Ctx, Tx } from '@svc/kit'
import type { PaymentSettings } from '../../shared/settings.ts'

/** The keys with which each address is called. */
const KEYS = {
  stripe_host: ['stripe_test_key', 'stripe_live_key'],
  mollie_host: ['mollie_test_key', 'mollie_live_key'],
  redsys_test_host: ['redsys_test_key'],
  redsys_live_host: ['redsys_live_key']
} as const satisfies Partial<Record<keyof PaymentSettings, readonly (keyof PaymentSettings)[]>>

interface Done { clinic_id: string, change: ClinicSettings, tx: Tx }

/**
 * A key is never sent to another address than the one it was entered for: with a new address, the provider's keys are
 * empty unless the same request changes them.
 */
export async function forgetKeys(ctx: Ctx, { clinic_id, change, tx }: Done): Promise<ClinicEffect[]> {
  const changed = change.payments as Partial<PaymentSettings> | undefined
  if (!changed) return []
  const hosts = Object.entries(KEYS).filter(([host]) => host in changed)
  const keys = hosts.flatMap(([, names]) => names).filter(name => !(name in changed))
  if (keys.length > 0) await ctx.settings.change(tx, clinic_id, Object.fromEntries(keys.map(name => [name, null])))
  return []
}
