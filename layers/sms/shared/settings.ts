import * as z from 'zod'
import { areHeaders } from './domain/template.ts'

export const PROVIDERS = ['none', 'twilio', 'http'] as const
export const METHODS = ['POST', 'PUT', 'GET'] as const

const SENDER = /^(?:MG[0-9a-f]{32}|\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/

/** Settings that each clinic has of this module. */
export const SmsSettings = z.object({
  /** `none`: messages are written to files of the instance, as mail is without a mail server. */
  provider: z.enum(PROVIDERS),
  daily_limit: z.int().min(1).max(100_000),
  twilio_account: z.string().regex(/^AC[0-9a-f]{32}$/, 'Must be an account SID: AC and 32 characters.').nullable(),
  twilio_token: z.string().min(20).max(100).nullable(),
  /** A messaging service, a number or a name. */
  twilio_sender: z.string().regex(SENDER, 'Must be a messaging service (MG…), a number such as +34600123456, or a name of at most 11 letters.').nullable(),
  twilio_whatsapp: z.string().regex(/^\+[1-9]\d{6,14}$/, 'Must be a number such as +34600123456.').nullable(),
  /** An approved template with the clinic’s name as its first variable and the address as its second. */
  twilio_template: z.string().regex(/^HX[0-9a-f]{32}$/, 'Must be a content SID: HX and 32 characters.').nullable(),
  twilio_url: z.url({ protocol: /^https?$/ }).max(200),
  http_url: z.string().max(1000).regex(/^https?:\/\/[^\s/?#{}@]+(?:[/?#]\S*)?$/, 'Must be a web address such as https://sms.example.com/send.').nullable(),
  http_method: z.enum(METHODS),
  http_headers: z.string().max(2000).refine(areHeaders, 'Must be lines of the form "Name: value".').nullable(),
  http_body: z.string().max(4000).nullable(),
  http_key: z.string().min(1).max(500).nullable(),
  /** Where the gateway’s answer has its name for the message, such as `messages.0.id`. */
  http_ref: z.string().max(100).regex(/^[\w-]+(?:\.[\w-]+)*$/, 'Must be names joined with dots, such as messages.0.id.').nullable()
})
export type SmsSettings = z.infer<typeof SmsSettings>
