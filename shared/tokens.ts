import * as z from 'zod'
import { Instant, line } from './common.ts'

const MOST_SCOPES = 100

export const NewToken = z.strictObject({
  /** Which program has it. */
  name: line(100),
  /** Names of permissions. It has each while its maker has it. */
  scopes: z
    .array(z.string().max(100))
    .min(1)
    .max(MOST_SCOPES)
    .refine(scopes => new Set(scopes).size === scopes.length, 'Each name once.'),
  /** Left out: in a year. Five years at most. */
  expires_at: z.iso.datetime({ offset: true }).optional()
})

export const Token = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: Instant,
  /** Whose rights it has at most. */
  created_by: z.object({ id: z.uuid(), name: z.string() }),
  expires_at: Instant,
  /** To the minute; null: never. */
  last_used_at: Instant.nullable()
})

/** The token (`svct_…`) is shown here and never again. */
export const CreatedToken = Token.extend({ token: z.string() })

export type NewToken = z.infer<typeof NewToken>
export type Token = z.infer<typeof Token>
export type CreatedToken = z.infer<typeof CreatedToken>
