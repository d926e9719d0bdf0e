/**
 * The contract between the host and its modules, and the only part of the product that a module may import.
 * The code beside this file is plain JavaScript, so that Node can load it from node_modules without a build.
 */
import type { Sql, TransactionSql } from 'postgres'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type * as drizzle from 'drizzle-orm'
import type * as pgCore from 'drizzle-orm/pg-core'
import type { AuditAction } from './audit.d.ts'
import type { Channel, Channels, Deliveries } from './reach/channels.d.ts'
import type { AskClauses, ClausesAt, GivenClause } from './reach/clauses.d.ts'
import type { Outgoing } from './reach/outgoing.d.ts'
import type { PublicSection, Sections } from './reach/sections.d.ts'
import type { Guard, StepDefinition, Steps } from './reach/steps.d.ts'

export type * from './reach/channels.d.ts'
export type * from './reach/clauses.d.ts'
export type * from './reach/outgoing.d.ts'
export type * from './reach/sections.d.ts'

/** Drizzle over postgres.js. The pool and a transaction have the same query surface. */
export type Db = PostgresJsDatabase<Record<string, never>>
/** What `db.transaction(async (tx) => …)` passes in. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** A connection that facts can be written through: a drizzle transaction, or postgres.js's (`sql.begin`). */
export type AnyTx = Tx | Db | TransactionSql | Sql

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

export type { Guard, Step, StepDefinition, Steps } from './reach/steps.d.ts'

// ---------------------------------------------------------------- problems

export interface ProblemFields {
  /** A sentence that helps the user; replaces the table's. */
  detail?: string
  /** 422 only: which values are wrong. Pointers are RFC 6901, from the body's root. */
  errors?: { pointer: string, message: string }[]
  /** Seconds; becomes the header `Retry-After`. */
  retry_after?: number
  /** A limit that the module counts itself; becomes `RateLimit-Policy`, and `RateLimit` with nothing remaining. */
  limit?: { name: string, points: number, seconds: number }
  /** Everything else becomes an extension member of the problem document (RFC 9457 3.2). */
  [member: string]: unknown
}

/** An error with a code. The status and title come from the module's `problems` table, or the host's. */
export interface Problem extends Error {
  readonly svc_problem: true
  readonly code: string
  readonly fields: ProblemFields
}
/** `throw problem('link_locked', { locked_until })` */
export function problem(code: string, fields?: ProblemFields): Problem
/** Tests the shape instead of the class, since a package may carry its own copy of the kit. */
export function isProblem(error: unknown): error is Problem
/** Code → HTTP status, short title, and the sentence that is used when the thrower gives no `detail`. */
export type ProblemTable = Record<string, { status: number, title: string, detail?: string }>

// ---------------------------------------------------------------- endpoints

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

export type Access
  = | 'none'
    | 'session'
    | 'admin-token'
    | { permission: string }
    | AccessFunction
    | NamedAccess

/**
 * An access that a dependency offers, `<module>.<access>`, for endpoints below the path that it opens. The dependency's
 * documentation says what it puts into `request.session`.
 */
export type NamedAccess = `${string}.${string}`

/**
 * Returns the value of `request.session`, or throws a problem. For the OpenAPI document, `cookie` names the cookie that
 * it reads, and `problems` are the codes that it throws.
 */
export interface AccessFunction {
  (request: ModuleRequest, ctx: Ctx): Promise<unknown>
  cookie?: string
  problems?: readonly string[]
}

export interface Limit {
  /** Names the counter; unique in the module. */
  name: string
  points: number
  /** Window in seconds. */
  seconds: number
  /** The key that it counts by. */
  by: 'address' | 'address+param' | ((request: ModuleRequest) => string)
  /** With `address+param`: which path parameter. */
  param?: string
  /**
   * `requests` counts every call. `successes` counts answers below 400: each call is charged before it runs, and
   * refunded when it fails. `failures` counts calls that `request.countFailure()` marks; past the limit every call is
   * refused.
   */
  counts: 'requests' | 'successes' | 'failures'
}

/**
 * Any zod-compatible schema. The OpenAPI document shows the fields of zod's own schemas, and a query with `page_size`
 * in its `shape` means a paged list. `error` returns the message where the schema has none.
 */
export interface Schema<T = unknown> {
  safeParse (input: unknown, params?: { error: (issue: any) => string }):
    | { success: true, data: T }
    | { success: false, error: { issues: readonly { path: PropertyKey[], message: string }[] } }
}
type Out<S> = S extends { safeParse (input: unknown, ...rest: any[]): infer R }
  ? Extract<R, { success: true }> extends { data: infer T } ? T : never
  : undefined

/** The rules of one endpoint and its handler. Method and path come from the name of its file. */
export interface Endpoint<B = any, Q = any, R = any> {
  access: Access
  /** Refuses every token (403), whatever its scopes, because the endpoint needs a signed-in person. */
  people_only?: boolean
  /**
   * Members of the answer that only the first answer contains. A replay by `Idempotency-Key` leaves them out and names
   * them. A nested member is written `invitation.url`.
   */
  shown_once?: string[]
  limit?: Limit | Limit[]
  /** One sentence for the OpenAPI document. */
  summary?: string
  query?: Q
  body?: B
  /** Largest body in bytes, default 1 MB. */
  max_body?: number
  /**
   * Content types of a body that isn't parsed, such as a file, or JSON whose bytes a provider signed
   * (`['application/json']`). `handle` gets `{ type, bytes }` as `body`. Use it instead of `body`.
   */
  raw_body?: string[]
  /**
   * With `raw_body`: `handle` gets `{ type, stream }`, with the pieces as they arrive, so that a large file is never in
   * memory as a whole. With an `Idempotency-Key`, the whole body is read before `handle` runs.
   */
  stream_body?: boolean
  /**
   * The shape inside `data`; keys outside it never leave the server. Omit it for files and for 204. A GET without it
   * counts as a file: a browser that requests it without a session of the clinic is redirected to the sign-in page
   * (303).
   */
  response?: R
  /** Status of a success; default 200, or 204 when the handler returns undefined. */
  status?: number
  /**
   * Its other successful statuses, for the OpenAPI document: those below 300 have the same shape, those from 300 have
   * no body.
   */
  also?: Record<number, string>
  /** Problem codes that this endpoint can return besides the general ones, for the OpenAPI document. */
  problems?: string[]
  handle (input: { params: Record<string, string>, query: Out<Q>, body: Out<B>, request: any }, ctx: Ctx): unknown
}
/** An h3 event handler with its rules attached. */
export interface EndpointHandler<B = any, Q = any, R = any> {
  (event: any): any
  readonly __is_handler__: true
  readonly svc_endpoint: Endpoint<B, Q, R>
}
/**
 * The default export of a file below `server/api/v1/`, named by Nitro's rules: `budgets/[id]/send.post.ts` serves
 * `POST /api/v1/budgets/{id}/send`. Infers body and query of `handle` from the schemas. The host also accepts a plain
 * object of the same shape.
 */
export function defineEndpoint<
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined
>(endpoint: Endpoint<B, Q, R>): EndpointHandler<B, Q, R>

export interface Reply {
  readonly svc_reply: true
  status?: number
  headers?: Record<string, string>
  cookies?: Cookie[]
  /** Sent as `{ data }`, with the members of `meta` beside it. */
  data?: unknown
  meta?: Record<string, unknown>
  /** Sent unchanged. */
  body?: Uint8Array | string
  /** Streamed as a CSV file while its rows are still being read. */
  csv?: Csv
}
/** The host writes the file (UTF-8, RFC 4180) and escapes texts that a spreadsheet would read as a formula. */
export interface Csv {
  /** The file's name without its extension: letters, digits and dashes. */
  name: string
  /** The first row, in the order of the cells. */
  columns: readonly string[]
  /**
   * Batches of rows. The host requests the next batch when the caller has read the last one, which can take long: hold
   * no database connection between batches. Ended (`return`) when the caller disconnects; never started for HEAD.
   */
  batches: AsyncIterable<(string | null)[][]>
}
export interface Cookie {
  name: string
  value: string
  path: string
  http_only?: boolean
  same_site: 'strict' | 'lax'
  /** Seconds; 0 removes the cookie. Without it the cookie lasts until the browser closes. */
  max_age?: number
}
/** Use this for any answer that isn't a plain 200 with `data`. */
export function reply(answer: Omit<Reply, 'svc_reply'>): Reply
/** A page of a list: `{ data: rows, total, page, page_size, …extra }`. */
export function page(
  rows: unknown[],
  meta: { total: number, page: number, page_size: number, [extra: string]: unknown }
): Reply

// ---------------------------------------------------------------- identifiers and versions

/**
 * Whether the text is a UUID. Treat a malformed id as unknown, like one of another clinic, without querying the
 * database.
 */
export function isId(text: string): boolean
/** The strong entity tag of a row with this version. */
export function etagOf(version: number): string
/**
 * Whether `If-Match` allows a change of this version (RFC 9110 13.1.1). It does when the header is absent. Weak marks
 * are ignored, since a proxy that compresses adds them.
 */
export function matchesEtag(version: number, if_match: string | undefined): boolean

// ---------------------------------------------------------------- events and jobs

export interface EventEnvelope<P = Record<string, any>> {
  id: string
  name: string
  /** Increases with each event; there can be gaps. */
  seq: string
  occurred_at: Date
  clinic_id: string | null
  payload: P
}

/** Members that a payload lacks are null. */
export interface EventValues { clinic_id: string | null, values: Record<string, Json> }

// ---------------------------------------------------------------- context

export interface Clinic {
  id: string
  name: string
  address: string | null
  phone: string | null
  email: string | null
  /** Absolute URL, or null without a logo. */
  logo_url: string | null
  accent_color: string | null
  /** ISO 3166-1 alpha-2; the country of phone numbers without a country code. */
  country: string | null
  /** The name that invoices must show. */
  legal_name: string | null
  tax_number: string | null
  registration: string | null
  insurer: string | null
  /** ISO 4217. */
  currency: string
  /** IANA name. */
  time_zone: string
  /** BCP 47: en, es, … */
  locale: string
  /** Whether the prices that the staff type and see include tax. */
  prices_include_tax: boolean
  /** How much of an IP address a signature record keeps. */
  ip_policy: 'full' | 'hashed' | 'none'
  /** Whether the staff get an email for each decision that a patient makes by link. */
  notify_decisions: boolean
  retention: Retention
}

/** What the staff can change of a clinic; a module's settings are below its name (`change.budget`). */
export type ClinicSettings = Partial<Omit<Clinic, 'id' | 'logo_url'>> & {
  readonly [module: string]: unknown
}

/**
 * `field`: a member of the change, nested with a dot (`retention.audit_months`, `recall.months`). `reason`: a sentence
 * for the staff.
 */
export interface ClinicVeto { field: string, reason: string }

/**
 * What a change of `field` does to a module's data: `what` names the effect, `count` the number of records. The
 * module's layer translates `what` for the screens (`useClinicEffects`).
 */
export interface ClinicEffect { field: string, what: string, count: number }

/** How long the clinic keeps data that no law requires it to keep forever. */
export interface Retention {
  /** Months that the access log of closed cases is kept: from 12 to 600, or null for forever. */
  access_log_months: number | null
  /** Months that rows of the audit log are kept: from 1 to 600, or null for forever. */
  audit_months: number | null
}

export interface MailMessage {
  to: string
  subject: string
  text: string
  html?: string
  reply_to?: string
  /** A UUID that identifies the message, so that mailboxes recognise a repeat. Create it when the message is queued. */
  id?: string
}

export interface Logger {
  debug (event: string, fields?: Record<string, unknown>): void
  info (event: string, fields?: Record<string, unknown>): void
  warn (event: string, fields?: Record<string, unknown>): void
  error (event: string, fields?: Record<string, unknown>): void
}

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

export interface Ctx {
  /** The module that owns this context. */
  module: string
  /** The pool; in lifecycle hooks, the step's transaction. */
  db: Db
  /**
   * Runs a transaction whose commit doesn't wait for a synchronous standby, so that a failover may lose it. Use it for
   * what people simply repeat, such as opening a page. Throws when a row stays locked for eight seconds. In lifecycle
   * hooks it is the step's transaction.
   */
  localTransaction<T> (run: (tx: Tx) => Promise<T>): Promise<T>
  /** postgres.js on the same connections as `db`. */
  sql: Sql
  /** Drizzle's column builders and operators, so that a package needs no copy of its own. */
  pg: typeof pgCore & typeof drizzle
  events: {
    /**
     * Writes the event and its deliveries through `tx`; returns the event's id. Throws `foreign_event` unless `name`
     * begins with the module's own name and a dot. `key` (such as a budget's id) orders deliveries per subscriber.
     * A clinic's webhooks may send the payload to other systems, except the member `reason` (free text), so it must not
     * contain a patient's name. An event about a patient has their id as `patient_id`: an export of their data includes
     * the event, and an erasure empties its free text.
     */
    publish (
      tx: AnyTx,
      name: string,
      payload: Record<string, unknown> & { clinic_id: string },
      options?: { key?: string }
    ): Promise<string>
    /**
     * The values of these members in the payloads of the module's own events (`<module>.…`), for the 30 days that the
     * host keeps events. In batches, each without duplicates. For checks of records that events refer to.
     */
    values (members: string[]): AsyncIterable<EventValues[]>
  }
  clauses: {
    /**
     * The clauses that the running modules have for a place in a document of this module, dependencies first. `place`
     * begins with the module's own name and a dot. Each module runs in a savepoint of `at.tx`. Throws `clauses_failed`,
     * or `too_many_clauses` for more than ten.
     */
    collect (place: string, at: ClausesAt): Promise<GivenClause[]>
  }
  audit: {
    /**
     * Appends a row to the clinic's audit log, through `tx`. Make it the last statement of the transaction: it blocks
     * other appends to this log until the transaction ends, and locking another row afterwards can deadlock.
     */
    record (tx: Tx, entry: AuditEntry): Promise<void>
  }
  jobs: {
    /** Enqueues through `tx`; runs at least once after the commit, retried forever. Jobs of one `key` run in order. */
    add (tx: AnyTx, name: string, payload: Record<string, unknown>, options?: { key?: string }): Promise<void>
  }
  steps: Steps
  /** A declared dependency's exports; throws for any other name. */
  use<T = any> (name: string): T
  log: Logger
  /** Documents that are written once and never changed. Keys are relative, `a-z0-9._-/`. */
  files: {
    /** Throws `EEXIST` (as `error.code`) when the key has other bytes. Writing the same bytes again succeeds. */
    writeOnce (key: string, bytes: Uint8Array): Promise<void>
    /** Throws `ENOENT` (as `error.code`). */
    read (key: string): Promise<Uint8Array>
    /**
     * The names of files and folders directly below a folder (`''` is the root), in batches, unsorted. Empty if the
     * folder doesn't exist.
     */
    list (folder: string): AsyncIterable<string[]>
  }
  mail: { send (message: MailMessage): Promise<{ via: 'smtp' | 'file', id: string }> }
  clock: {
    /** The database's time; inside a transaction the transaction's. */
    now (tx?: AnyTx): Promise<Date>
  }
  clinics: {
    get (id: string, tx?: AnyTx): Promise<Clinic>
    /** Every clinic of the instance: for scheduled jobs. */
    list (): Promise<Clinic[]>
    /** For documents, which must not load anything from the network. */
    logo (id: string): Promise<{ type: 'image/png' | 'image/jpeg', bytes: Uint8Array } | null>
  }
  /** The module's own settings of a clinic, if its entry declares any. */
  settings: ModuleSettings
  users: {
    names (ids: string[], tx?: AnyTx): Promise<Map<string, string>>
    /** The address of an active member of the clinic; null for anyone else. */
    email (clinic_id: string, id: string): Promise<string | null>
    /** Whether the session with this mark is open, and its user an active member of the clinic. */
    hasSession (session: { clinic_id: string, user_id: string, session_mark: string }): Promise<boolean>
  }
  secrets: {
    /** AES-256-GCM under a key derived for `purpose` (HKDF from the instance secret); base64url text. */
    seal (purpose: string, plain: string | Uint8Array): string
    /** Also opens texts sealed with `SVC_SECRET_PREVIOUS`. Throws when the text was tampered with. */
    open (purpose: string, sealed: string): Uint8Array
    /** HMAC-SHA-256 under a key derived for `purpose`. */
    mac (purpose: string, data: string | Uint8Array): Buffer
    /**
     * The MACs under the current secret and each previous one. Compare a column with them, as
     * ``sql`… where mac in ${ctx.sql(macs)}` `` or with drizzle's `inArray`.
     */
    macs (purpose: string, data: string | Uint8Array): Buffer[]
    /** True for a MAC under the current or a previous secret; constant time. */
    verifyMac (purpose: string, data: string | Uint8Array, mac: Uint8Array): boolean
    /** scrypt over value and pepper, self-describing text. */
    hash (value: string): Promise<string>
    /** Constant time. */
    verify (value: string, hash: string): Promise<boolean>
  }
  documents: {
    /**
     * Adds a PAdES signature with the instance's certificate: B-T if a time-stamp authority answered in time, else B-B.
     * `signed_at` is written into the signature dictionary.
     */
    seal (
      pdf: Uint8Array,
      about: { reason: string, signer: string, location?: string, signed_at: Date }
    ): Promise<{ bytes: Uint8Array, /** B-T. */ time_stamp: boolean }>
    /**
     * The certificate that `sign` and `seal` use now. `seal` throws once it has expired. `sign` doesn't, because a bare
     * signature states no time.
     */
    certificate (): Promise<Certificate>
    /** A bare signature over the bytes, in the format of WebCrypto's `verify` with the certificate's key. */
    sign (bytes: Uint8Array): Promise<{
      algorithm: 'RSASSA-PKCS1-v1_5' | 'ECDSA'
      hash: 'SHA-256'
      /** ECDSA only. */
      named_curve?: string
      signature: Uint8Array
    }>
  }
  /** For work that would block the event loop for more than a few milliseconds. */
  threads: {
    /**
     * Calls the default export of a file of the module: `run(new URL('./draw.thread.js', import.meta.url), input)`.
     * Input and output are plain data (structured clone); there is no `ctx`. Few threads run at a time and the other
     * calls wait; throws `busy` when too many are waiting. Throws when the thread crashes, needs more than 512 MB of
     * heap or runs for two minutes. Errors of the work keep their name, message and stack.
     */
    run<T = any> (file: URL, input: unknown): Promise<T>
  }
  imports: Imports
  /** Calls to other services. */
  http: Outgoing
  /** Parts of this module's public pages that other modules add. */
  sections: Sections
  /** Ways to reach people, registered by modules. */
  channels: Channels
  deliveries: Deliveries
  /** Where people reach this instance, without a trailing slash. */
  base_url: string
  problem: typeof problem
  reply: typeof reply
}

export interface Certificate {
  pem: string
  /** SHA-256 of the DER, lower-case hex. */
  sha256: string
  /** SubjectPublicKeyInfo, DER, which WebCrypto imports as `spki`: the same bytes as inside the certificate. */
  spki: Uint8Array
  subject: string
  not_after: Date
}

// ---------------------------------------------------------------- settings

/**
 * Settings that each clinic has of the module. The host stores them, serves them at `/api/v1/clinic/settings/<module>`,
 * and draws their form on the clinic's page.
 */
export interface SettingsDeclaration {
  /** A flat object without defaults. Forms show descriptions; `.meta({ kind: 'money' })` marks an amount. */
  schema: Schema
  /** Every field, with its value in a clinic that has not changed it. A secret's is null. */
  defaults: Record<string, unknown>
  /** Fields whose text is stored sealed and never leaves the server. Their schema must allow null. */
  secrets?: string[]
  /** The full name of the permission to see and change them; default `clinic.manage`. */
  permission?: string
  /** Fields that the screens of all members get, whatever their permissions. */
  on_screens?: string[]
  /** Fields that `/api/v1/clinic` has too, each after another of its members. Only for bundled modules. */
  in_clinic?: { field: string, after: string }[]
}
export interface ModuleSettings {
  /** All fields, secrets in plain text. Without `tx`, calls for one clinic in the same turn share a query. */
  get<Values = any> (clinic_id: string, tx?: AnyTx): Promise<Values>
  /**
   * Changes fields like the clinic's staff: other modules may refuse (`setting_vetoed`), and the audit log has a row.
   * `actor` defaults to the module. It locks the clinic and the end of its audit log: make it the last statement.
   */
  change (tx: Tx, clinic_id: string, change: Record<string, unknown>, actor?: Actor | AuditActor): Promise<void>
  /** When a field, or a part of it (`reminders.days`), was last changed; null if never. */
  changedAt (clinic_id: string, field: string, tx?: AnyTx): Promise<Date | null>
}

// ---------------------------------------------------------------- people's rights

/** A person whose data the modules of a clinic hold, by the id of the record that describes them. */
export interface Person { clinic_id: string, id: string, /** For the operator's eyes. */ name: string }

/** A module's data about a person, readable by laypeople: JSON by heading, and files. */
export interface PersonData { records: Record<string, Json>, files?: { name: string, bytes: Uint8Array }[] }

export interface Erasure {
  /** What was emptied or removed, and the number of records: `{ what: 'budget drafts', count: 2 }`. */
  erased: { what: string, count: number }[]
  /** Documents that the law requires: one file of `ctx.files` each. No table repeats the person's name. */
  held: Held[]
  /** Unsent emails that the host removes: to these addresses, or with these ids (`MailMessage.id`). */
  letters?: { to?: string[], ids?: string[] }
  /** Records of others that may name the person and need a manual check: the kind of record, and which record it is. */
  follow_up?: { what: string, object: string }[]
}
export interface Held {
  what: string
  /** Such as `PRES-2026-0001 v1`. */
  object: string
  /** Key of `ctx.files`. */
  file: string
  reason: string
}

/**
 * A command of a module: `svc <words of its name>`. Names and summaries are in the manifest, so that help doesn't run
 * any module.
 */
export interface Command {
  /** Arguments after the name, in order. Optional arguments come last. */
  args?: { name: string, description: string, required?: boolean }[]
  /**
   * `options`: the manifest's options that the user gave, a flag as `true`. `progress`: shows one line on a terminal,
   * which the next call overwrites. `runPart` calls `part` in a thread, and throws if there is no `part`. Throw a
   * problem to refuse.
   */
  run (ctx: Ctx, input: {
    args: Record<string, string | undefined>
    options: Record<string, string | true | undefined>
    progress: (line: string) => void
    runPart<Output>(input: unknown): Promise<Output>
  }): Promise<CommandResult>
  /**
   * A part of heavy work that can run in parallel, each in a thread with its own `ctx`. As many parts run at a time as
   * there are processors; the others wait. Input and output are plain data (structured clone). Errors keep their name,
   * message and stack.
   */
  part?(ctx: Ctx, input: unknown): Promise<unknown>
}
/** `text` for people, `json` for `--json`. The exit code is 1 unless `ok`. */
export interface CommandResult { text: string, json: Json, ok: boolean }

// ---------------------------------------------------------------- imports

/** A column of the file that the import reads. */
export interface ImportColumn {
  /** The field's name, such as `first_name`. */
  name: string
  /** Names of the field in headers of files, in any language. Case, accents and punctuation don't matter. */
  headers: string[]
  /**
   * Headers of columns that form the field together, in the order in which they are joined: street, postal code, city.
   * For a field that takes the first value that isn't empty: in order of preference.
   */
  parts?: string[][]
  /**
   * Headers that name another field (`instead_of`), but this field if the file has no column for any of `without`:
   * “Name” is a last name, or the full name if there is no column for the first name.
   */
  alone?: { instead_of: string, without: string[], headers: string[] }[]
  /**
   * How several columns of the file become this field: the first value that isn't empty (the default), or all of them
   * joined. With this member people can map several columns to the field.
   */
  combine?: 'first' | 'join'
  /** Between joined cells; default a blank. */
  separator?: string
  /** The maximum number of columns for this field; default 4. */
  most?: number
  /**
   * `read` may drop a wrong cell of this field and keep the row (`lost`). People may choose to leave such rows out
   * instead (`on_wrong`).
   */
  optional?: boolean
}
/** Why a row is left out. `column` is a field's name; people see the file's own header. */
export interface ImportWrong { column: string, message: string }
/** A cell that was dropped, or how a cell was read. `value` defaults to the cell's text. */
export interface ImportRemark { column: string, message: string, value?: string }

/** Encodings of a file without a byte order mark. */
export type ImportEncoding = typeof import('./import/schemas.js').IMPORT_ENCODINGS[number]
/** How to read a file. Absent options are guessed, or follow the clinic's language and country. */
export interface ImportOptions {
  encoding?: ImportEncoding
  /** Line of the file, from 1, with the names of the columns; 0 if there is none. */
  header_line?: number
  /** The order in dates such as 3/4/1985. */
  date_order?: 'dmy' | 'mdy'
  /** The order of names in one cell. A comma takes precedence. */
  name_order?: 'last_first' | 'first_last'
  /** The system that the external ids come from, as in `external_ids`: `[a-z0-9-]{1,30}`. */
  system?: string
  /** Fields for which a wrong cell leaves the whole row out. For other fields only the value is dropped. */
  on_wrong?: Record<string, 'leave_row_out'>
}
/** The context in which rows of a file are read. */
export interface ImportAtHand<Given = any> { settings: ImportSettings, given: Given, options: ImportOptions }
/** The clinic's settings when the file was uploaded; they define what its cells mean. */
export type ImportSettings = Pick<Clinic, 'locale' | 'country' | 'currency' | 'prices_include_tax'>

/** What the module already stores for a row. */
export interface ImportMatch {
  /** The record's id; null if the row is new. */
  id: string | null
  /** Whether the row's cells differ from the stored record. */
  changed: boolean
  /**
   * Keys by which other rows of the file could find the record, before and after the change, such as `code a1`. Any
   * text will do that is the same for every row.
   */
  names: string[]
  /** Keys that no earlier row of the file may have; otherwise this row is wrong. */
  claims: string[]
  /** Set if the record gets another name. People see such rows before they run the import. */
  renamed?: { from: string, to: string } | undefined
  /** Passed to `write`. */
  record?: unknown
}

/**
 * Records that are imported from a CSV file, row by row. The host reads the file, maps its columns, counts, and writes
 * in batches of 500 rows, one transaction each. After an interruption it continues after the last complete batch.
 */
export interface ImportKind<Fields = any, Given = any> {
  columns: ImportColumn[]
  /** Called once per run, before the first row. Returns what `read` needs besides the row. */
  begin? (ctx: Ctx, at: { clinic_id: string, settings: ImportSettings, options: ImportOptions }): Promise<Given>
  /**
   * Called for every row before the first is read, to learn what only a whole column can show, such as whether all of
   * its dates are serial numbers. Store the result in `given`, and keep it small.
   */
  survey? (cells: Record<string, string>, at: ImportAtHand<Given>): void
  /**
   * Reads one row, by names of `columns`. Empty cells are left out, and don't change the stored value. `lost`: cells
   * that the row is imported without. `notes`: how ambiguous cells were read.
   */
  read (
    cells: Record<string, string>,
    at: ImportAtHand<Given>
  ): { fields: Fields, lost?: ImportRemark[], notes?: ImportRemark[] } | { wrong: ImportWrong }
  /**
   * Returns for each row the stored record, or why the row is wrong. With `lock` it locks the records until the
   * transaction ends. A problem that it throws ends the import.
   */
  match (
    ctx: Ctx,
    batch: ImportAtHand<Given> & { clinic_id: string, tx: Tx, rows: Fields[], lock: boolean }
  ): Promise<(ImportMatch | { wrong: ImportWrong })[]>
  /** Writes rows that are new or change a record. */
  write (
    ctx: Ctx,
    batch: ImportAtHand<Given> & { clinic_id: string, user_id: string | null, tx: Tx, rows: ImportRow<Fields>[] }
  ): Promise<void>
}
/** `id`: the record's id; a new record must get this id. */
export interface ImportRow<Fields = any> { id: string, is_new: boolean, fields: Fields, match: ImportMatch }

/** Field → one or more headers of the file. */
export type ImportMapping = Record<string, string | string[]>
/** A mapping as it was sent, which may also contain `on_wrong`. */
export type SentImportMapping = Record<string, string | string[] | ImportOptions['on_wrong']>
/** A request's changes of options; null resets an option. */
export type ImportOptionsChange = { [Option in keyof ImportOptions]?: ImportOptions[Option] | null }
/** How the file is read, whether chosen or guessed. */
export interface ImportForm {
  encoding: ImportEncoding
  /** The encoding of lines in a UTF-8 file that aren't UTF-8, and the first 50 of these lines. */
  other: ImportEncoding | null
  other_lines: number[]
  /** Line of the file, from 1; 0 if it has no header. */
  header_line: number
  /** Lines without a record, such as a title or a total. */
  passed_over: number[]
  /** Cells with letters beyond ASCII, which show whether the encoding is right; empty once the import has ended. */
  samples: string[]
  /** The first lines of the file, including the header and lines above it; empty once the import has ended. */
  first_lines: { line: number, text: string }[]
}
/** `first`: the first 50. `errors.csv` has all of them. */
export interface ImportRemarks {
  total: number
  first: { line: number, column: string, message: string, value: string }[]
}
export interface ImportCounts { new: number, changed: number, same: number, wrong: number }
export interface ImportView {
  id: string
  file_name: string
  /** Headers of the file. */
  columns: string[]
  mapping: ImportMapping
  /** The options that people chose. */
  options: ImportOptions
  form: ImportForm
  /** The first rows, cell by cell; empty once the import has ended. */
  preview: string[][]
  /** Fields that the mapping can use. */
  fields: string[]
  /** The fields that can have several columns, and how these are combined. */
  several: Record<string, 'first' | 'join'>
  /** The fields that `on_wrong` can name. */
  optional: string[]
  state: 'uploaded' | 'checked' | 'running' | 'done' | 'failed'
  progress: { done: number, total: number }
  /** The number of checks in the queue before this one; null if it isn't waiting. */
  checks_before: number | null
  /** Counts of the last check or run; null before the first. */
  counts: ImportCounts | null
  /** The first wrong rows. */
  errors: { line: number, column: string, message: string }[]
  /** Cells that were dropped from their rows. */
  lost: ImportRemarks
  /** How ambiguous cells were read. */
  notes: ImportRemarks
  /** Records that get another name. */
  renamed: { total: number, first: { line: number, from: string, to: string }[] }
  /** The problem code of a failed import. */
  reason: string | null
  created_at: string
  finished_at: string | null
}
interface ImportAt { clinic_id: string, id: string }

/**
 * Imports of the module's kinds, by the kind's name. The kit's `import-endpoints` builds endpoints from them. An id
 * that is unknown, of another clinic or of another kind is `not_found`.
 */
export interface Imports {
  /**
   * `bytes`, whole or in pieces: multipart with `file`, `mapping` as JSON, and options by their names. Throws
   * `file_unreadable`, `payload_too_large`, `bad_request` for any other body, `validation_failed` for a mapping that
   * doesn't fit, and `storage_full` and `storage_unavailable`.
   */
  create (
    kind: string,
    at: {
      clinic_id: string
      user_id: string | null
      content_type: string | undefined
      bytes: Uint8Array | AsyncIterable<Uint8Array>
    }
  ): Promise<ImportView>
  get (kind: string, at: ImportAt): Promise<ImportView>
  /**
   * A new encoding or header line reads the file again, and guesses the columns again unless `mapping` is present.
   * Throws `validation_failed`, `file_unreadable`, and `wrong_state` once the import is running.
   */
  map (kind: string, at: ImportAt & { mapping?: SentImportMapping, options?: ImportOptionsChange }): Promise<ImportView>
  /**
   * Checks the file without changing records, and stores the counts. Each process checks one file at a time; until its
   * turn `checks_before` is the number of checks before it. Aborts with the reason of `signal`. Throws `wrong_state`,
   * `busy` when too many are waiting, and the errors of `match`.
   */
  check (kind: string, at: ImportAt & { signal?: AbortSignal }): Promise<ImportView>
  /** Starts the job that writes the records. Throws `wrong_state`. */
  run (kind: string, at: ImportAt & { actor: Actor, client: Client }): Promise<ImportView>
  /** All wrong rows as CSV. */
  errors (kind: string, at: ImportAt): Promise<string>
}

export interface HookCtx extends Ctx {
  from_version: string | null
  /** Aborted when the process must stop. */
  signal: AbortSignal
  /** Runs `fn`, work outside the database, once per operation and stores its result. */
  once<T> (key: string, fn: () => Promise<T>): Promise<T>
}

// ---------------------------------------------------------------- module

/** Everything except endpoints, which are files below `server/api/v1/` and found by their names. */
export interface ModuleDefinition {
  /** Subscribers. Each event is delivered at least once, in order per key. */
  on?: Record<string, (event: EventEnvelope<any>, ctx: Ctx) => Promise<void>>
  jobs?: Record<string, {
    /**
     * Five numeric fields, UTC, by the database's clock. Runs missed while no process was up become one immediate run.
     */
    cron?: string
    run (payload: any, ctx: Ctx, info: { attempt: number }): Promise<void>
  }>
  problems?: ProblemTable
  /** Own decisions that other modules may refuse, by their names, such as `budget.accept`. */
  steps?: Record<string, StepDefinition>
  /** Guards of steps, by the steps' names. The manifest's `guards` names each of them. */
  before?: Record<string, Guard>
  /** Clauses for documents of other modules, by the place, such as `notes.content`. */
  clauses?: Record<string, AskClauses>
  hooks?: {
    install? (ctx: HookCtx): Promise<void>
    post_upgrade? (ctx: HookCtx, from_version: string): Promise<void>
    uninstall? (ctx: HookCtx): Promise<void>
    before_uninstall? (ctx: HookCtx): Promise<{ reason: string, hard?: boolean }[]>
    /**
     * Called before a clinic's settings change, in the change's transaction, and when the clinic is shown, to find out
     * whether its currency can change. `change` has only the values that differ. Returns an entry for each field that
     * must stay.
     */
    before_clinic_change? (
      ctx: Ctx,
      asked: { clinic_id: string, change: ClinicSettings, tx: Tx }
    ): Promise<ClinicVeto[]>
    /**
     * Adapts the module's data to a clinic's settings that have just changed, in the change's transaction. `change` is
     * as in `before_clinic_change`. Returns what it did. A preview calls it too and rolls back, so write through `tx`
     * only.
     */
    after_clinic_change? (
      ctx: Ctx,
      done: { clinic_id: string, change: ClinicSettings, tx: Tx }
    ): Promise<ClinicEffect[]>
    /**
     * Creates the initial data of an instance's first clinic, in the transaction of the setup, dependencies first.
     * `catalogue`: the person's choice. Write through `tx` only, and read the clinic with `ctx.clinics.get(id, tx)`.
     * Throwing aborts the whole setup.
     */
    start_clinic? (
      ctx: Ctx,
      start: { clinic_id: string, catalogue: 'none' | 'starter', tx: Tx }
    ): Promise<void>
    /** The person whose record this is; null if this module has no record with that id. */
    find_person? (ctx: Ctx, id: string): Promise<Person | null>
    /** Returns all of this module's data about the person. */
    export? (ctx: Ctx, person: Person): Promise<PersonData>
    /**
     * Erases the person's data: no name, address, number, free text or picture stays in a table. `ctx.db` is the
     * transaction of the whole erasure, dependants first. A dry run is rolled back, and must not write a file. Throw a
     * problem to abort the whole erasure: `erasure_blocked` if it is only too early.
     */
    erase? (ctx: Ctx, person: Person, options: { dry_run: boolean }): Promise<Erasure>
  }
  settings?: SettingsDeclaration
  /** Import kinds by their names, such as `patients`, which is also the argument of `svc import`. */
  imports?: Record<string, ImportKind>
  /** Commands by their names in the manifest's `commands`. */
  commands?: Record<string, Command>
  /**
   * Accesses that dependants may use for endpoints of their own, by their names in the manifest's `accesses`, which has
   * the path of each. The function gets this module's `ctx`. The answer of its problems is by this module's table.
   */
  accesses?: Record<string, AccessFunction>
  /**
   * Sections of public pages by the page's name. The owner's documentation has the names, and what `at` contains
   * besides `SectionAt`. They are called with each view, and only read.
   */
  public_sections?: Record<string, (ctx: Ctx, at: any) => PublicSection[] | Promise<PublicSection[]>>
  /**
   * Ways to reach people, by names (`a-z0-9_`) that no other module has: `sms`. Not `email`, which is the host's, nor
   * `manual` or `clinic`.
   */
  channels?: Record<string, Channel>
  /** What other modules get from `ctx.use('<name>')`. `caller`: who gets it. */
  exports?: (ctx: Ctx, caller: Caller) => object
  /** Findings for `svc modules doctor` under Integrity. */
  doctor?: (ctx: Ctx) => Promise<Finding[]>
  /** Gauges from the database for `/metrics`. Called at each scrape, so use cheap queries only. */
  metrics?: (ctx: Ctx) => Promise<Gauge[]>
  /**
   * Fills a demo clinic on behalf of one of its members; safe to run twice. `svc demo seed` runs it in dependency
   * order.
   */
  demo?: (ctx: Ctx, demo: { clinic_id: string, user_id: string }) => Promise<void>
}
/** `grants`: those of its manifest, such as `budget.link`, which the operator sees before the install. */
export interface Caller { module: string, grants: readonly string[] }
/** `name` follows the prefix `svc_<module>_`. Gauges with one name have the same label names. */
export interface Gauge { name: string, help: string, value: number, labels?: Record<string, string> }
export interface Finding { code: string, object: string, message: string, fix: string, advice?: boolean }

/** Returns its argument: a plain object of the same shape is a module too. */
export function defineModule(definition: ModuleDefinition): ModuleDefinition
