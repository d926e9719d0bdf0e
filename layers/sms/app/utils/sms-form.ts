import { SmsSettings } from '../../shared/settings.ts'

const SECRETS = ['twilio_token', 'http_key'] as const

/** The settings as the form sends them: an untouched secret is left out. */
export const SmsForm = SmsSettings.partial({ twilio_token: true, http_key: true })

/** The values of the form: texts may be empty, the number missing, and a secret is `{ set }` until it is typed. */
export type SmsFormValues = Omit<SmsSettings, 'daily_limit' | typeof SECRETS[number]> & {
  daily_limit: number | undefined
  twilio_token: SecretValue
  http_key: SecretValue
}
export type SecretValue = { set: boolean } | string | null

const isUntouched = (value: unknown) => value === '' || (typeof value === 'object' && value !== null)

/** An emptied text becomes null, and an emptied number an empty text, which the server refuses. */
export function toSmsSettings(form: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).flatMap(([name, value]) => {
    if ((SECRETS as readonly string[]).includes(name)) return isUntouched(value) ? [] : [[name, value]]
    if (name === 'daily_limit') return [[name, value ?? '']]
    return [[name, typeof value === 'string' && value.trim() === '' ? null : value]]
  }))
}
