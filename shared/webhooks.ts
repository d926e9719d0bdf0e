import * as z from 'zod'
import { Instant, paging } from './common.ts'

/** Where events are sent. The operator decides which addresses are allowed, and the server checks them. */
const WebhookUrl = z.string().trim().max(2000)
  // URL's parser silently drops line breaks, so the text could look like a different address.
  .refine(text => !/[\p{C}\p{Z}]/u.test(text), 'Must not hold spaces or control characters.')
  .refine(isWebAddress, 'Must be an https:// address.')
  .refine(hasNoCredentials, 'Must not hold a user name or password: the signature tells who sends.')

const EventName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, 'Must be the name of an event, as budget.accepted.')

/** Names of events, or `["*"]` for all. */
const EventNames = z.union(
  [z.tuple([z.literal('*')]), z.array(EventName).min(1).max(50).refine(isUnique, 'Each name once.')],
  {
    error: 'Names of events, as budget.accepted, or "*" alone.'
  }
)

const fields = {
  url: WebhookUrl,
  events: EventNames,
  /** Whether `budget.rejected` carries the patient's own words. */
  include_reason: z.boolean(),
  /** While inactive, no events are sent or queued, and queued deliveries wait. */
  active: z.boolean()
}

export const NewWebhook = z.strictObject({
  ...fields,
  include_reason: fields.include_reason.default(false),
  active: fields.active.default(true)
})
export const WebhookChange = z.strictObject(fields).partial()

/** Why an attempt failed. `value`: the response's status, seconds, a host's name, or the connection's error text. */
export const WEBHOOK_FAILURES = [
  'answered',
  'redirected',
  'silent',
  'no_answer',
  'not_https',
  'private_address',
  'unresolved',
  'no_address',
  'other'
] as const
export const WebhookFailure = z.object({ code: z.enum(WEBHOOK_FAILURES), value: z.string().nullable() })

export const Webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  include_reason: z.boolean(),
  active: z.boolean(),
  /** `failing`: the last attempt failed. Retries continue, since only people deactivate a webhook. */
  state: z.enum(['ok', 'failing', 'inactive']),
  /** The first failed attempt since the last good one. */
  failing_since: Instant.nullable(),
  last_error: z.string().nullable(),
  /** The same as code and value; null too for an error of an earlier release. */
  last_failure: WebhookFailure.nullable(),
  last_success_at: Instant.nullable(),
  /** Deliveries that wait for their first or next attempt. */
  pending: z.number(),
  /** Failed deliveries, which can be resent. */
  failed: z.number(),
  created_at: Instant
})

/** The secret (`whsec_…`) is shown only here. */
export const CreatedWebhook = Webhook.extend({ secret: z.string() })

export const WebhookAttempt = z.object({
  at: Instant,
  duration_ms: z.number(),
  /** Null if there was no response; `error` then has the reason. */
  response_status: z.number().nullable(),
  /** The start of the response, as text. */
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  /** The same as code and value; null too for an error of an earlier release. */
  failure: WebhookFailure.nullable()
})

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

export const WebhookDelivery = z.object({
  /** The id that replay takes. */
  id: z.uuid(),
  /** The header `webhook-id`: the same on every attempt and replay. */
  event_id: z.uuid(),
  event: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  /** The number of attempts, including replays. */
  attempts: z.number(),
  /** Status of the last attempt's response. */
  response_status: z.number().nullable(),
  last_error: z.string().nullable(),
  next_attempt_at: Instant.nullable(),
  created_at: Instant,
  done_at: Instant.nullable(),
  /** The newest 20, newest first. */
  attempt_log: z.array(WebhookAttempt)
})

export const WebhookDeliveryQuery = z.strictObject({ status: z.enum(DELIVERY_STATUSES).optional(), ...paging })
/** One delivery, or all failed ones of the webhook. */
export const ReplayRequest = z
  .strictObject({ delivery_id: z.string().max(100).optional(), failed: z.literal(true).optional() })
  .refine(({ delivery_id, failed }) => (delivery_id === undefined) !== (failed === undefined), {
    path: ['delivery_id'],
    message: 'Either delivery_id or failed.'
  })
/** The number of failed deliveries that are resent. */
export const ReplayedAll = z.object({ queued: z.number().int() })

export type Webhook = z.infer<typeof Webhook>
/** The settings that people choose; the other members are its state. */
export type WebhookSettings = Pick<Webhook, 'url' | 'events' | 'include_reason' | 'active'>
export type WebhookFailure = z.infer<typeof WebhookFailure>
export type CreatedWebhook = z.infer<typeof CreatedWebhook>
export type NewWebhook = z.infer<typeof NewWebhook>
export type WebhookChange = z.infer<typeof WebhookChange>
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
export type WebhookDeliveryQuery = z.infer<typeof WebhookDeliveryQuery>

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol)
}

function hasNoCredentials(text: string): boolean {
  if (!URL.canParse(text)) return true // already reported
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

function isUnique(names: string[]): boolean {
  return new Set(names).size === names.length
}
