import type { AnyTx, Ctx, SettingsDeclaration } from '@svc/kit'
import { DEFAULTS, PaymentSettings, SECRETS } from '../shared/settings.ts'

export const settings: SettingsDeclaration = {
  schema: PaymentSettings,
  defaults: DEFAULTS,
  secrets: [...SECRETS]
}

export const settingsOf = (ctx: Ctx, clinic_id: string, tx?: AnyTx): Promise<PaymentSettings> =>
  ctx.settings.get<PaymentSettings>(clinic_id, tx)
