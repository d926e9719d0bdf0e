import type { AuditAction } from './audit.ts'
import type { Json } from './database.ts'
import type { Actor, Client } from './requests.ts'

/** One row of the audit log. */
export interface AuditEntry {
  /** The clinic that owns the log; null for the instance's log. */
  clinic_id: string | null
  /** The request's actor, or another one, such as `{ type: 'system', id: null, name: 'svc privacy erase' }`. */
  actor: Actor | AuditActor
  action: AuditAction
  /** The object of the action, such as `{ kind: 'patient', id }`. */
  target?: { kind: string, id: string | null } | null
  /** Only codes, counts, ids and names of fields, because a row can never be changed or erased. */
  detail?: Record<string, Json>
  /** Text by or about a person. Only its salted digest is stored: it can't be read, but a guess can be checked. */
  personal?: Record<string, string>
  /** The caller, whose address is stored according to the clinic's `ip_policy`; absent outside a request. */
  client?: Client | null
}
export interface AuditActor {
  type: 'user' | 'token' | 'system'
  id: string | null
  /** The name of a token or of the system. A user's name is looked up when the log is read. */
  name: string | null
}
