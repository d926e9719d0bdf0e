import type { Actor, Ctx, Endpoint, ModuleRequest, ProblemTable } from '@svc/kit'
import type { H3Event } from 'h3'
import type { coreSession } from '../db/schema.ts'
import type { Method } from '../types.ts'
import type { CoreRules } from './core-endpoint.ts'
import type { FoundAccess } from './named-access.ts'
import type { Answer } from './encode.ts'

/** An endpoint and where it is mounted. `module` and `ctx` are null for the core's own. */
export interface Mount {
  module: string | null
  method: Method
  /** From the root of the site, parameters as `:name`. */
  path: string
  endpoint: Endpoint & CoreRules
  ctx: Ctx | null
  /** If the endpoint's access is another module's. */
  named: FoundAccess | null
  problems: ProblemTable
}

export interface Call { params: Record<string, string>, path: string, query: string, head: boolean }
export type Run = (event: H3Event, call: Call) => Promise<Answer>

/** What the person showed in addition to the password, or instead of it. Null: only the password. */
export type SignInWay = NonNullable<typeof coreSession.$inferSelect['way']>

/** Additional data for the core's own endpoints: the caller's session. */
export interface CoreActor extends Actor {
  session: { /** As its row has it. */ hash: Buffer, since: Date, way: SignInWay | null } | null
  /**
   * If the second factor that the clinic requires is missing: until when the person can work without it. Otherwise
   * null.
   */
  factor_due: { until: Date, overdue: boolean } | null
  /** The password was changed, and the person has not yet confirmed that each second factor is theirs. */
  factors_to_review: boolean
}

/** The request of a core endpoint whose caller was checked, by `'session'`, `'admin-token'` or a permission. */
export interface CoreRequest extends ModuleRequest { actor: CoreActor }

export type FindActor = (request: ModuleRequest) => Promise<Actor | null>
/**
 * Sets `request.actor` or `request.session`. Throws `unauthorized`, `permission_denied`, or the problem of the access
 * function.
 */
export type Authorize = (request: ModuleRequest) => Promise<void>
