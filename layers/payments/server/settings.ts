import type { AnyTx, Ctx, SettingsDeclaration } from '@svc/kit'
import { DEFAULTS, PaymentSettings, SECRETS } from '../shared/settings.ts'

export const settings: SettingsDeclaration = {
  schema: PaymentSettings,
  defaults: DEFAULTS,
  secrets: [...SECRETS],
  sent_to: {
    stripe_host: ['stripe_test_key', 'stripe_live_key'],
    mollie_host: ['mollie_test_key', 'mollie_live_key'],
    redsys_test_host: ['redsys_test_key'],
    redsys_live_host: ['redsys_live_key']
  }
}

export const settingsOf = (ctx: Ctx, clinic_id: string, tx?: AnyTx): Promise<PaymentSettings> =>
  ctx.settings.get<PaymentSettings>(clinic_id, tx)
