import { AUDIT_ACTIONS } from '@svc/kit/audit'
import { day } from '@svc/kit/schemas'
import * as z from 'zod'
import { Instant, paging } from './common.ts'

const Day = day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.')
const When = z.union([Day, z.iso.datetime({ offset: true }).regex(/^[12]/, 'Must be a time of the years 1000 to 2999.')])

const filters = {
  action: z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length).optional(),
  /** Id of a user or a token, or `system`. */
  actor: z.string().regex(/^[\w-]{1,64}$/, 'Must be an id, or "system".').optional(),
  /** Days of the clinic's time zone, both included, or instants. */
  from: When.optional(),
  to: When.optional()
}
/** The filter of an export. */
export const AuditFilter = z.strictObject(filters)
export const AuditQuery = z.strictObject({ ...filters, ...paging })

export const AuditRow = z.object({
  id: z.uuid(),
  at: Instant,
  actor: z.object({ type: z.enum(['user', 'token', 'system']), id: z.string().nullable(), name: z.string().nullable() }),
  action: z.enum(AUDIT_ACTIONS),
  target: z.object({ kind: z.string(), id: z.string().nullable() }).nullable(),
  detail: z.record(z.string(), z.unknown()),
  /** The IP address as the clinic stores it: in full, as a keyed hash, or null. */
  address: z.string().nullable()
})

export type AuditFilter = z.infer<typeof AuditFilter>
export type AuditRow = z.infer<typeof AuditRow>
