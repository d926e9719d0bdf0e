import type { AnyTx, Ctx, SettingsDeclaration } from '@svc/kit'
import { BillingSettings } from '../shared/settings.ts'

export const settings: SettingsDeclaration = {
  schema: BillingSettings,
  defaults: { payment_days: null, taxpayer: 'company' } satisfies BillingSettings,
  in_clinic: [{ field: 'payment_days', after: 'insurer' }]
}

export const settingsOf = (ctx: Ctx, clinic_id: string, tx?: AnyTx): Promise<BillingSettings> =>
  ctx.settings.get<BillingSettings>(clinic_id, tx)
