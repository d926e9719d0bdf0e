import * as z from 'zod'
import { multiLine, visible } from '@svc/kit/text'
import { Id, Instant } from './common.ts'
import { RELATIONSHIPS } from './public.ts'
import { plainText } from './text.ts'

/** The maximum length in UTF-16 units. */
export const MAX_MESSAGE = 1000

/** Plain text, trimmed. */
export const MessageRequest = z.strictObject({
  text: z
    .string()
    .max(MAX_MESSAGE)
    .check(multiLine)
    .trim()
    .refine(text => text.length <= MAX_MESSAGE, `Must have at most ${MAX_MESSAGE} UTF-16 units.`)
    .check(visible)
})

/**
 * The id of the last message on the screen, so that later questions stay open. If null, the screen showed no message,
 * and all questions stay open. If absent, none stays open.
 */
const seen = Id.nullish()
/** The clinic's message to the patient. */
export const AnswerRequest = MessageRequest.extend({ seen })
/** Marks questions as read without an answer. */
export const MarkReadRequest = z.strictObject({ seen })

/** Messages between patient and clinic; the patient sees no names of staff. */
export const PatientMessage = z.object({
  id: Id,
  from: z.enum(['patient', 'clinic']),
  text: z.string(),
  at: Instant
})

export const StaffMessage = PatientMessage.extend({
  /** The author for the clinic; null for the patient's own messages. */
  by: z.object({ id: Id, name: z.string() }).nullable(),
  /** The version on which the message was written. */
  version_id: Id,
  /** For the patient's messages: when it was answered or marked as read. */
  read_at: Instant.nullable()
})

export const WithdrawRequest = z.strictObject({
  requested_by: z.enum(RELATIONSHIPS),
  reason: plainText(2000)
})

export type PatientMessage = z.infer<typeof PatientMessage>
export type StaffMessage = z.infer<typeof StaffMessage>
export type AnswerRequest = z.infer<typeof AnswerRequest>
export type MarkReadRequest = z.infer<typeof MarkReadRequest>
export type WithdrawRequest = z.infer<typeof WithdrawRequest>
