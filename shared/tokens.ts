import * as z from 'zod'
import { Instant, line } from './common.ts'

const MAX_SCOPES = 100

export const NewToken = z.strictObject({
  /** The program that uses the token. */
  name: line(100),
  /** Names of permissions. The token has each one as long as its creator has it. */
  scopes: z
    .array(z.string().max(100))
    .min(1)
    .max(MAX_SCOPES)
    .refine(scopes => new Set(scopes).size === scopes.length, 'Each name once.'),
  /** Default one year from now, at most five years. */
  expires_at: z.iso.datetime({ offset: true }).optional()
})

export const Token = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: Instant,
  /** The creator, whose rights limit those of the token. */
  created_by: z.object({ id: z.uuid(), name: z.string() }),
  expires_at: Instant,
  /** Accurate to the minute; null for never. */
  last_used_at: Instant.nullable()
})

/** The token (`svct_…`) is shown only here. */
export const CreatedToken = Token.extend({ token: z.string() })

export type NewToken = z.infer<typeof NewToken>
export type Token = z.infer<typeof Token>
export type CreatedToken = z.infer<typeof CreatedToken>
