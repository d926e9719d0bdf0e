import type { Ctx } from './context.ts'
import type { AccessSessions } from './modules/index.ts'

export interface Client {
  /** The caller's address as text, taken after the configured number of trusted proxies. */
  ip: string
  /** The key that limits count by: the IPv4 address or the IPv6 /64. */
  ip_key: string
  user_agent: string | null
  /** The caller's token, set together with `actor`; absent for callers without a token. */
  token_id?: string
}

/** A staff member or a token, checked against the database on this request. */
export interface Actor {
  user_id: string | null
  clinic_id: string | null
  name: string
  email: string | null
  role: string | null
  /** Only concrete names (no wildcards) of active modules' permissions. */
  permissions: ReadonlySet<string>
  instance_admin: boolean
  via: 'cookie' | 'bearer' | 'token'
  /** The caller's token; null for a person's session. */
  token_id: string | null
  /** Identifies the caller's session but grants no access; null for a token. For `ctx.users.hasSession`. */
  session_mark: string | null
}

export interface ModuleRequest<Session = unknown> {
  /** The request id (header `X-Request-Id`). */
  id: string
  /** True for HEAD: answer as GET would, but change nothing. */
  head: boolean
  method: string
  /** Path without the query. */
  path: string
  params: Record<string, string>
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  cookies: Record<string, string>
  client: Client
  /** Aborted when the caller disconnects before the answer. Check it where work takes seconds. */
  signal: AbortSignal
  /** Set by `access: 'session' | 'admin-token' | { permission }`. */
  actor: Actor | null
  /** The value that the access function returned. */
  session: Session
  /** Charges every limit of the endpoint that `counts: 'failures'`. */
  countFailure (): Promise<void>
}

/** A staff endpoint's request. The host has already refused callers without actor and clinic. */
export interface StaffRequest extends ModuleRequest { actor: Actor & { user_id: string, clinic_id: string } }

/** A request with `access: 'admin-token'`. An administrator may have chosen no clinic. */
export interface AdminRequest extends ModuleRequest { actor: Actor }

export type Access
  = | 'none'
    | 'session'
    | 'admin-token'
    | { permission: string }
    | AccessFunction
    | NamedAccess

/**
 * An access that a dependency offers, `<module>.<access>`, for endpoints below the path that it opens. The type of
 * `request.session` is in `AccessSessions`.
 */
export type NamedAccess = `${string}.${string}`

/**
 * Returns the value of `request.session`, or throws a problem. For the OpenAPI document, `cookie` names the cookie that
 * it reads, and `problems` are the codes that it throws.
 */
export interface AccessFunction<Session = unknown> {
  (request: ModuleRequest, ctx: Ctx): Promise<Session>
  cookie?: string
  problems?: readonly string[]
}

/**
 * The request of an endpoint with this `access`. With a function, `session` is what the function returns; with a name,
 * what `AccessSessions` has for it.
 */
export type RequestOf<A extends Access> = A extends 'session' | { permission: string }
  ? StaffRequest
  : A extends 'admin-token'
    ? AdminRequest
    : A extends AccessFunction<infer Session>
      ? ModuleRequest<Session>
      : A extends keyof AccessSessions ? ModuleRequest<AccessSessions[A]> : ModuleRequest
