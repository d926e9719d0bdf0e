import { paging } from '@svc/kit/schemas'
import * as z from 'zod'
import { Id, Instant, Sha256 } from './common.ts'
import { Code } from './public.ts'
import { Locale, plainText } from './text.ts'

/** `manual` for handing the link over, or the name of a channel. */
export const Channel = z.string().regex(/^[a-z][a-z0-9_]{0,29}$/, 'Must be the name of a channel, such as "email".')

/** With a budget: for its patient. `locale`: the language of labels and reasons. */
export const ChannelsQuery = z.strictObject({ budget_id: Id.optional(), locale: Locale.optional() })
export const ChannelsAnswer = z.array(z.object({
  name: z.string(),
  label: z.string(),
  ready: z.boolean(),
  /** Why it isn't ready. */
  reason: z.string().nullable(),
  /** Only with a budget: whether its texts are too short for a message of the staff, and the patient's address. */
  short: z.boolean().optional(),
  address: z.string().nullable().optional()
}))
export type ChannelsQuery = z.infer<typeof ChannelsQuery>
export type ChannelRow = z.infer<typeof ChannelsAnswer>[number]

export const SendRequest = z.strictObject({
  channel: Channel,
  code: Code.nullish(),
  message: plainText(1000).nullish()
})
/**
 * `public_code` is present only if it was generated just now: it is shown once, and only to people. `notice` tells a
 * program how the patient gets the code.
 */
export const SendAnswer = z.object({
  status: z.literal('sent'),
  url: z.url(),
  public_code: z.string().optional(),
  notice: z.string().optional()
})

/** `confirm_address`: send to the patient's current address, although the link was sent to a different one. */
export const ResendRequest = z.strictObject({
  channel: Channel,
  new_link: z.boolean().default(false),
  confirm_address: z.boolean().optional()
})
export const ResendAnswer = z.object({ url: z.url() })

/** Either a code, or a request to generate one. */
export const SetCodeRequest = z
  .strictObject({ code: Code.optional(), generate: z.literal(true).optional() })
  .refine(
    ({ code, generate }) => (code === undefined) !== (generate === undefined),
    'Give either a code or generate: true.'
  )
export const SetCodeAnswer = z.object({ public_code: z.string().optional() })

export const UnlockRequest = z.strictObject({ reason: plainText(500).nullish() })

export const LogQuery = z.strictObject(paging)

const LOG_ACTIONS = [
  'verify',
  'locked',
  'unlocked',
  'code_set',
  'code_sent',
  'link_sent',
  'link_resent',
  'viewed',
  'read',
  'pdf_download',
  'signed_pdf_download',
  'signed_pdf_ready',
  'signed_pdf_error',
  'accepted',
  'rejected',
  'session_closed',
  'revised',
  'superseded',
  'cancelled',
  'withdrawn',
  'treatments_done',
  'question_asked',
  'question_answered',
  'question_read'
] as const

export const AccessLogRow = z.object({
  id: Id,
  budget_id: Id,
  at: Instant,
  action: z.enum(LOG_ACTIONS),
  success: z.boolean(),
  actor: z.enum(['patient', 'staff', 'system']),
  user_id: Id.nullable(),
  user_name: z.string().nullable(),
  ip_hash: z.string().nullable(),
  user_agent: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  prev_hash: z.string().nullable(),
  hash: z.string()
})

export const SignatureRecord = z.object({
  id: Id,
  budget_id: Id,
  decision: z.enum(['accepted', 'rejected']),
  signer_name: z.string(),
  relationship: z.enum(['patient', 'guardian', 'representative']).nullable(),
  method: z.enum(['click', 'typed', 'drawn']).nullable(),
  image: z.string().nullable().describe('data:image/png;base64 URL of a drawn signature'),
  consent_version: z.string().nullable(),
  /** The sentence that the patient agreed to; null in records of earlier releases, and for a decline. */
  consent_text: z.string().nullable(),
  reason: z.string().nullable(),
  reason_code: z.string().nullable(),
  content_digest: Sha256,
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  witness: z.object({ id: Id, name: z.string() }).nullable(),
  decided_at: Instant,
  time_zone: z.string(),
  locale: z.string(),
  patient_id: Id.nullable(),
  author: z.object({ id: Id, name: z.string() }).nullable(),
  document_sha256: Sha256.nullable(),
  known_to: z
    .object({ id: Id, name: z.string(), token_id: Id.nullable() })
    .nullable()
    .describe('Who knew link and code when the budget was decided by its link; a token only in earlier releases')
})

export type SendRequest = z.infer<typeof SendRequest>
export type SendAnswer = z.infer<typeof SendAnswer>
export type ResendRequest = z.infer<typeof ResendRequest>
export type SetCodeRequest = z.infer<typeof SetCodeRequest>
export type LogAction = typeof LOG_ACTIONS[number]

/** `code`: six digits to type at `/sign`. `url`: the same page with a secret after the `#`, for a QR code. */
export const HandOverAnswer = z.object({ code: z.string().regex(/^\d{6}$/), url: z.url(), expires_at: Instant })
export type HandOverAnswer = z.infer<typeof HandOverAnswer>
