import * as z from 'zod'

export const CHANNELS = ['sms', 'whatsapp'] as const
export type ChannelName = typeof CHANNELS[number]
export const STATES = ['sending', 'waiting', 'sent', 'delivered', 'failed', 'refused'] as const
export type MessageState = typeof STATES[number]
export const CAUSES = ['answer', 'provider', 'staff'] as const
export type StopCause = typeof CAUSES[number]

const Channel = z.enum(CHANNELS)
const Instant = z.iso.datetime()

export const ChannelRequest = z.strictObject({ channel: Channel })
export type ChannelRequest = z.infer<typeof ChannelRequest>

const PatientChannel = z.object({
  channel: Channel,
  ready: z.boolean(),
  /** Why messages can't be sent to the patient now, in the requested language. */
  reason: z.string().nullable(),
  /** The number with most of it hidden; null if the patient has none that can get messages. */
  hidden_number: z.string().nullable(),
  stop: z.object({ cause: z.enum(CAUSES), at: Instant }).nullable()
})
export type PatientChannel = z.infer<typeof PatientChannel>

const PatientMessage = z.object({
  id: z.string(),
  channel: Channel,
  kind: z.string(),
  state: z.enum(STATES),
  /** Why it failed, in the requested language. */
  reason: z.string().nullable(),
  encoding: z.enum(['gsm7', 'ucs2']),
  parts: z.number(),
  via: z.enum(['twilio', 'http', 'file']),
  created_at: Instant
})
export type PatientMessage = z.infer<typeof PatientMessage>

/** A patient’s channels, and the newest messages. */
export const PatientMessages = z.object({
  channels: z.array(PatientChannel),
  messages: z.array(PatientMessage),
  total: z.number()
})
export type PatientMessages = z.infer<typeof PatientMessages>

export const LocaleQuery = z.object({ locale: z.enum(['en', 'es', 'fr', 'de', 'pt', 'ar']).optional() })

/** What the settings show besides their own values. */
export const Status = z.object({
  /** Where a gateway reports deliveries and answers. Everyone who knows it can report. */
  gateway_address: z.string(),
  /** Where Twilio sends patients’ answers to. */
  twilio_address: z.string(),
  today: z.object({ sent: z.number(), refused: z.number(), limit: z.number() }),
  /** Since when the provider does not answer as it should, and what it said. */
  failing: z.object({ since: Instant, code: z.string() }).nullable()
})
export type Status = z.infer<typeof Status>

export const TestRequest = z.strictObject({
  channel: Channel,
  /** A number, as people write it; without it only the connection is tested. */
  to: z.string().trim().max(40).nullish(),
  locale: LocaleQuery.shape.locale
})
export type TestRequest = z.infer<typeof TestRequest>

export const TEST_CODES = [
  'connected', 'sent', 'file', 'incomplete', 'wrong_key', 'inactive', 'unreachable', 'not_allowed', 'refused',
  'bad_number', 'limit', 'stopped', 'untested', 'provider_error'
] as const
export type TestCode = typeof TEST_CODES[number]

export const TestResult = z.object({
  ok: z.boolean(),
  code: z.enum(TEST_CODES),
  /** The provider’s number or word for it, such as `20003`. */
  detail: z.string().nullable(),
  parts: z.number().nullable()
})
export type TestResult = z.infer<typeof TestResult>
