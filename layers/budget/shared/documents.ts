import * as z from 'zod'
import { Instant } from './common.ts'

/** The hash of a file; the file itself never leaves the browser. */
export const CheckDocumentRequest = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'Must be a SHA-256 in hex.').toLowerCase()
})

/**
 * Contains no patient data: only whether the document matches, and when and at which clinic it was signed.
 * `withdrawn_at` is present if the acceptance was withdrawn later.
 */
export const CheckDocumentAnswer = z.object({
  match: z.boolean(),
  signed_at: Instant.nullable(),
  clinic_name: z.string().nullable(),
  withdrawn_at: Instant.optional()
})

export type CheckDocumentRequest = z.infer<typeof CheckDocumentRequest>
export type CheckDocumentAnswer = z.infer<typeof CheckDocumentAnswer>
