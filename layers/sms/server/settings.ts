import type { AnyTx, Ctx, SettingsDeclaration } from '@svc/kit'
import { SmsSettings } from '../shared/settings.ts'

export const settings = {
  schema: SmsSettings,
  defaults: {
    provider: 'none',
    daily_limit: 500,
    twilio_account: null,
    twilio_token: null,
    twilio_sender: null,
    twilio_whatsapp: null,
    twilio_template: null,
    twilio_url: 'https://api.twilio.com',
    http_url: null,
    http_method: 'POST',
    http_headers: 'Content-Type: application/json',
    http_body: '{"to": "{to}", "text": "{text}", "id": "{id}", "report_to": "{report}"}',
    http_key: null,
    http_ref: null
  } satisfies SmsSettings,
  secrets: ['twilio_token', 'http_key'],
  sent_to: { twilio_url: ['twilio_token'], http_url: ['http_key'] }
} satisfies SettingsDeclaration

/** With the keys in plain text. */
export const settingsOf = (ctx: Ctx, clinic_id: string, tx?: AnyTx): Promise<SmsSettings> =>
  ctx.settings.get<SmsSettings>(clinic_id, tx)
