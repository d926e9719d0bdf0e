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

/** What was shown besides the password, or in its place; null: the password alone. */
export type SignInWay = NonNullable<typeof coreSession.$inferSelect['way']>

/** What the core's own endpoints know besides: which session the caller came with. */
export interface CoreActor extends Actor {
  session: { /** As its row has it. */ hash: Buffer, since: Date, way: SignInWay | null } | null
  /** The second factor that the clinic demands is missing: until when the person can work without. Else null. */
  factor_due: { until: Date, overdue: boolean } | null
  /** The password changed, and the person has not said of each second factor that it is theirs. */
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
