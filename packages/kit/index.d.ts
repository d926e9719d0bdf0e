/**
 * The contract between the host and its modules: the one thing a module may import from us.
 * Plain JavaScript beside this file, so that Node can load it from node_modules without a build.
 */
import type { Sql, TransactionSql } from 'postgres'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type * as drizzle from 'drizzle-orm'
import type * as pgCore from 'drizzle-orm/pg-core'
import type { AuditAction } from './audit.d.ts'

/** Drizzle over postgres.js. The pool and a transaction have the same query surface. */
export type Db = PostgresJsDatabase<Record<string, never>>
/** What `db.transaction(async (tx) => …)` hands in. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Anything a fact can be written through: a drizzle transaction, or postgres.js's (`sql.begin`). */
export type AnyTx = Tx | Db | TransactionSql | Sql

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

// ---------------------------------------------------------------- problems

export interface ProblemFields {
  /** A sentence a person can use; replaces the table's. */
  detail?: string
  /** 422 only: where it is wrong. Pointers are RFC 6901, from the body's root. */
  errors?: { pointer: string, message: string }[]
  /** Seconds; becomes the header `Retry-After`. */
  retry_after?: number
  /** A limit that a module counts by itself; becomes `RateLimit-Policy` and `RateLimit`, with nothing left. */
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
/** By shape, not by class: a package may carry its own copy of the kit. */
export function isProblem(error: unknown): error is Problem
/** code → HTTP status, the short title, and the sentence used when the thrower gives none. */
export type ProblemTable = Record<string, { status: number, title: string, detail?: string }>

// ---------------------------------------------------------------- endpoints

export interface Client {
  /** Textual address of the caller, after the configured number of trusted proxies. */
  ip: string
  /** What limits count by: the IPv4 address or the IPv6 /64. */
  ip_key: string
  user_agent: string | null
  /** The token that calls, set with `actor`; absent for everybody else. */
  token_id?: string
}

/** A staff member or a token, checked live on this request. */
export interface Actor {
  user_id: string | null
  clinic_id: string | null
  name: string
  email: string | null
  role: string | null
  /** Concrete names of active modules' permissions only. */
  permissions: ReadonlySet<string>
  instance_admin: boolean
  via: 'cookie' | 'bearer' | 'token'
  /** The token that calls; null for a person's session. */
  token_id: string | null
  /** Names the caller's session without opening anything; null for a token. For `ctx.users.hasSession`. */
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
  /** Aborted when the caller's connection ends before the answer: ask for it where work takes seconds. */
  signal: AbortSignal
  /** Set by `access: 'session' | 'admin-token' | { permission }`. */
  actor: Actor | null
  /** What an access function returned. */
  session: Session
  /** Charges every limit of the endpoint that `counts: 'failures'`. */
  countFailure (): Promise<void>
}

/** A staff endpoint's request: the border has already refused callers without actor and clinic. */
export interface StaffRequest extends ModuleRequest { actor: Actor & { user_id: string, clinic_id: string } }

export type Access
  = | 'none'
    | 'session'
    | 'admin-token'
    | { permission: string }
    | AccessFunction

/**
 * Returns what becomes `request.session`, or throws a problem. `cookie` names the cookie that it reads, for the OpenAPI
 * document.
 */
export interface AccessFunction { (request: ModuleRequest, ctx: Ctx): Promise<unknown>, cookie?: string }

export interface Limit {
  /** Names the counter; unique in the module. */
  name: string
  points: number
  /** Window in seconds. */
  seconds: number
  /** What it counts by. */
  by: 'address' | 'address+param' | ((request: ModuleRequest) => string)
  /** With `address+param`: which path parameter. */
  param?: string
  /**
   * `requests`: every call. `successes`: only answers below 400 (taken before, given back after).
   * `failures`: only calls that `request.countFailure()` marks; past the limit every call is refused.
   */
  counts: 'requests' | 'successes' | 'failures'
}

/**
 * Any zod-compatible schema. Of zod's own the OpenAPI document shows the fields, and a query with `page_size` in its
 * `shape` means a paged list. `error` words what the schema has no message for.
 */
export interface Schema<T = unknown> {
  safeParse (input: unknown, params?: { error: (issue: any) => string }):
    | { success: true, data: T }
    | { success: false, error: { issues: readonly { path: PropertyKey[], message: string }[] } }
}
type Out<S> = S extends { safeParse (input: unknown, ...rest: any[]): infer R }
  ? Extract<R, { success: true }> extends { data: infer T } ? T : never
  : undefined

/** The rules of one endpoint, and what it does. Method and path come from the name of its file. */
export interface Endpoint<B = any, Q = any, R = any> {
  access: Access
  /** A token is refused (403), whatever its scopes: it needs someone who is there. */
  people_only?: boolean
  /**
   * Members of the answer's object that only the first answer has: a replay by `Idempotency-Key` says so instead. A
   * member of a member is `invitation.url`.
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
   * Content types of a body that is taken as it came, such as a file, or JSON whose bytes a provider signed
   * (`['application/json']`): `handle` gets `{ type, bytes }` as `body`. Instead of `body`.
   */
  raw_body?: string[]
  /**
   * The shape inside `data`; keys outside it never leave the server. Leave out for files and 204: a GET without it is
   * taken for a file, and a browser that asks for it without a session of the clinic is redirected to the sign-in page
   * (303).
   */
  response?: R
  /** Of the success; default 200, or 204 when the handler returns undefined. */
  status?: number
  /**
   * Its answers with another status that are no refusals, for the OpenAPI document: below 300 of the same shape, from
   * 300 on without a body.
   */
  also?: Record<number, string>
  /** Codes this endpoint can answer besides the general ones, for the OpenAPI document. */
  problems?: string[]
  handle (input: { params: Record<string, string>, query: Out<Q>, body: Out<B>, request: any }, ctx: Ctx): unknown
}
/** An h3 event handler that carries its rules. */
export interface EndpointHandler<B = any, Q = any, R = any> {
  (event: any): any
  readonly __is_handler__: true
  readonly svc_endpoint: Endpoint<B, Q, R>
}
/**
 * The default export of a file below `server/api/v1/`, named by Nitro's rules: `budgets/[id]/send.post.ts` answers
 * `POST /api/v1/budgets/{id}/send`. Infers body and query of `handle` from the schemas. The host also takes a plain
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
  /** Enveloped as `{ data }`, with `meta`'s members beside it. */
  data?: unknown
  meta?: Record<string, unknown>
  /** Sent as it is. */
  body?: Uint8Array | string
  /** Sent as a CSV file, while its rows are still read. */
  csv?: Csv
}
/** The host writes it (UTF-8, RFC 4180) and keeps spreadsheets from reading a text as a formula. */
export interface Csv {
  /** Of the file, without its ending. Letters, digits and dashes. */
  name: string
  /** The first row, in the order of the cells. */
  columns: readonly string[]
  /**
   * Batches of rows. The next one is asked for when the caller has taken the last one, however slow: hold no connection
   * meanwhile. Ended (`return`) when the caller goes away; never begun for HEAD.
   */
  batches: AsyncIterable<(string | null)[][]>
}
export interface Cookie {
  name: string
  value: string
  path: string
  http_only?: boolean
  same_site: 'strict' | 'lax'
  /** Seconds; 0 removes it. Without it the cookie ends with the browser. */
  max_age?: number
}
/** Anything but a plain 200 with `data`. */
export function reply(answer: Omit<Reply, 'svc_reply'>): Reply
/** A page of a list: `{ data: rows, total, page, page_size, …extra }`. */
export function page(
  rows: unknown[],
  meta: { total: number, page: number, page_size: number, [extra: string]: unknown }
): Reply

// ---------------------------------------------------------------- identifiers and versions

/**
 * The text form of a UUID. A malformed id is as unknown as another clinic's: nothing is asked of the database with it.
 */
export function isId(text: string): boolean
/** The strong entity tag of a row that carries this version. */
export function etagOf(version: number): string
/**
 * Whether `If-Match` lets this version be changed (RFC 9110 13.1.1). Without the header it does; weak marks are
 * ignored, since a proxy that compresses adds them.
 */
export function matchesEtag(version: number, if_match: string | undefined): boolean

// ---------------------------------------------------------------- events and jobs

export interface EventEnvelope<P = Record<string, any>> {
  id: string
  name: string
  /** Growing; gaps happen. */
  seq: string
  occurred_at: Date
  clinic_id: string | null
  payload: P
}

/** A member that a payload lacks is null. */
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
  /** ISO 3166-1 alpha-2: phone numbers without a country code are of this one. */
  country: string | null
  /** What invoices have to name. */
  legal_name: string | null
  tax_number: string | null
  registration: string | null
  insurer: string | null
  /** Days from the issue of an invoice to its due date. */
  payment_days: number | null
  /** ISO 4217. */
  currency: string
  /** IANA name. */
  time_zone: string
  /** BCP 47: en, es, … */
  locale: string
  /** Whether the prices that the staff type and see are with tax. */
  prices_include_tax: boolean
  /** How people read the teeth; data is always FDI (ISO 3950). */
  tooth_notation: 'fdi' | 'universal' | 'palmer'
  budget_validity_days: number
  /** What of an address a signature record keeps. */
  ip_policy: 'full' | 'hashed' | 'none'
  /** Of patients who have not answered: automatic, by email. */
  reminders: Reminders
  /**
   * Since when they go out as they are set now; null while they never were on. What was due before is not caught up on.
   */
  reminders_since: Date | null
  /** Whether the staff get a mail of each decision that is made by link. */
  notify_decisions: boolean
  retention: Retention
}

/** What the staff can change of a clinic. */
export type ClinicSettings = Partial<Omit<Clinic, 'id' | 'logo_url' | 'reminders_since'>>

/** `field`: of the change, parts of it with a dot (`retention.audit_months`). `reason`: a sentence for the staff. */
export interface ClinicVeto { field: string, reason: string }

/**
 * What a change of `field` does to a module's data: `what` in plain words of data, and to how many records. A module's
 * layer gives the screens its words in their languages (`useClinicEffects`).
 */
export interface ClinicEffect { field: keyof ClinicSettings, what: string, count: number }

/** How long the clinic keeps data that no law requires it to keep for ever. */
export interface Retention {
  /** Rows about who opened and did what, of cases that are closed: from 12 to 600, or null for ever. */
  access_log_months: number | null
  /** Rows of the audit log: from 1 to 600, or null for ever. */
  audit_months: number | null
}

export interface Reminders {
  enabled: boolean
  /** Days after sending, growing, 3 at most. */
  days: number[]
  /**
   * `HH:MM` in the clinic's zone. From `quiet_from` until `quiet_to`, over midnight if need be, none goes out; never
   * quiet when both are the same.
   */
  quiet_from: string
  quiet_to: string
}

export interface MailMessage {
  to: string
  subject: string
  text: string
  html?: string
  reply_to?: string
  /** Names the message, so that mailboxes recognise a repeat: a UUID, made when it was ordered. */
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
  /** Whose log it is in; null: the instance's. */
  clinic_id: string | null
  /** Of the request; or who else it was, such as `{ type: 'system', id: null, name: 'svc privacy erase' }`. */
  actor: Actor | AuditActor
  action: AuditAction
  /** What it was done to, such as `{ kind: 'patient', id }`. */
  target?: { kind: string, id: string | null } | null
  /** Codes, counts, ids and names of fields only: it can never be changed or erased. */
  detail?: Record<string, Json>
  /** Text by or about a person. Only its salted digest is kept: no one can read it, and a guess can be checked. */
  personal?: Record<string, string>
  /** Whose address is kept as the clinic's `ip_policy` says; absent when no request is behind it. */
  client?: Client | null
}
export interface AuditActor {
  type: 'user' | 'token' | 'system'
  id: string | null
  /** Of a token or the system; a user's name is looked up when the log is read. */
  name: string | null
}

export interface Ctx {
  /** The module this context was made for. */
  module: string
  /** The pool; in lifecycle hooks the step's transaction. */
  db: Db
  /**
   * A transaction whose commit waits for no synchronous standby, so that a failover may lose it: for what people simply
   * do again, such as opening a page. Throws when a row stays locked for eight seconds. In lifecycle hooks the step's.
   */
  localTransaction<T> (run: (tx: Tx) => Promise<T>): Promise<T>
  /** postgres.js on the same connection(s) as `db`. */
  sql: Sql
  /** Drizzle's column builders and operators, so that a package needs no copy of its own. */
  pg: typeof pgCore & typeof drizzle
  events: {
    /**
     * Writes the event and its deliveries through `tx`; returns the event's id. Throws `foreign_event` unless `name`
     * begins with the module's own name and a dot. `key` orders deliveries per subscriber
     * (a budget's id). A clinic's webhooks may send the payload to other systems, all but the member `reason` (free
     * text): no patient's name belongs into it. What is about a patient names them as `patient_id`: an export gives it
     * out, an erasure empties its free text.
     */
    publish (
      tx: AnyTx,
      name: string,
      payload: Record<string, unknown> & { clinic_id: string },
      options?: { key?: string }
    ): Promise<string>
    /**
     * What the module's own events (`<module>.…`) say in these members of their payloads, as far back as the host keeps
     * events: 30 days. In batches, each without repetitions; for checks of what events name.
     */
    values (members: string[]): AsyncIterable<EventValues[]>
  }
  audit: {
    /**
     * Appends a row to the clinic's audit log, through `tx`. The last thing that a transaction does: until its end no
     * other one can append to this log, and what still locks another row afterwards can deadlock.
     */
    record (tx: Tx, entry: AuditEntry): Promise<void>
  }
  jobs: {
    /** Enqueues through `tx`; runs at least once after the commit, retried for ever. Jobs of one `key` run in order. */
    add (tx: AnyTx, name: string, payload: Record<string, unknown>, options?: { key?: string }): Promise<void>
  }
  /** A declared dependency's exports; throws for any other name. */
  use<T = any> (name: string): T
  log: Logger
  /** Documents: written once, read for ever. Keys are relative, `a-z0-9._-/`. */
  files: {
    /** Throws `EEXIST` (as `error.code`) when the key holds other bytes; the same bytes again are fine. */
    writeOnce (key: string, bytes: Uint8Array): Promise<void>
    /** Throws `ENOENT` (as `error.code`). */
    read (key: string): Promise<Uint8Array>
    /**
     * In batches: the names directly below a folder (`''`: all), those of folders too. Unsorted; none where there is no
     * such folder.
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
    /** For documents, which must not reach for the network. */
    logo (id: string): Promise<{ type: 'image/png' | 'image/jpeg', bytes: Uint8Array } | null>
  }
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
    /** Also opens what `SVC_SECRET_PREVIOUS` sealed. Throws when it was tampered with. */
    open (purpose: string, sealed: string): Uint8Array
    /** HMAC-SHA-256 under a key derived for `purpose`. */
    mac (purpose: string, data: string | Uint8Array): Buffer
    /**
     * The same under the current secret and under each previous one: what a look-up compares a column with, as
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
     * Adds a PAdES signature of the instance's certificate: B-T when a time-stamp authority answered in time, else B-B.
     * `signed_at` goes into the signature dictionary.
     */
    seal (
      pdf: Uint8Array,
      about: { reason: string, signer: string, location?: string, signed_at: Date }
    ): Promise<{ bytes: Uint8Array, /** B-T. */ time_stamp: boolean }>
    /**
     * What `sign` and `seal` sign with now. `seal` throws after its end, `sign` does not: a bare signature states no
     * time.
     */
    certificate (): Promise<Certificate>
    /** A bare signature over the bytes, as WebCrypto's `verify` takes it with the certificate's key. */
    sign (bytes: Uint8Array): Promise<{
      algorithm: 'RSASSA-PKCS1-v1_5' | 'ECDSA'
      hash: 'SHA-256'
      /** ECDSA only. */
      named_curve?: string
      signature: Uint8Array
    }>
  }
  /** For work that keeps a processor busy for more than some milliseconds: requests are answered meanwhile. */
  threads: {
    /**
     * Calls the default export of a file of the module: `run(new URL('./draw.thread.js', import.meta.url), input)`.
     * Input and output are plain data (structured clone); there is no `ctx`. Few run at a time, the others wait: throws
     * `busy` when too many do. Throws when the thread crashes, needs more than 512 MB of heap or works for two minutes.
     * What the work throws keeps its name, message and stack.
     */
    run<T = any> (file: URL, input: unknown): Promise<T>
  }
  imports: Imports
  /** Where people reach this instance, without a trailing slash. */
  base_url: string
  problem: typeof problem
  reply: typeof reply
}

export interface Certificate {
  pem: string
  /** Of the DER, lower-case hex. */
  sha256: string
  /** SubjectPublicKeyInfo, DER: what WebCrypto imports as `spki`. Its bytes lie as they are inside the certificate. */
  spki: Uint8Array
  subject: string
  not_after: Date
}

// ---------------------------------------------------------------- people's rights

/** A person whose data the modules of a clinic hold, by the id of the record that describes them. */
export interface Person { clinic_id: string, id: string, /** For the operator's eyes. */ name: string }

/** What a module holds of a person, in plain words of data: JSON by heading, and files. */
export interface PersonData { records: Record<string, Json>, files?: { name: string, bytes: Uint8Array }[] }

export interface Erasure {
  /** What was emptied or removed, and how often: `{ what: 'budget drafts', count: 2 }`. */
  erased: { what: string, count: number }[]
  /** What the law keeps: a file of `ctx.files` each, of which no table repeats the person's name. */
  held: Held[]
  /** Letters that the host may still have: to these addresses, or with these ids (`MailMessage.id`). */
  letters?: { to?: string[], ids?: string[] }
  /** What may name the person and belongs to others, so that people look at it: a kind of thing, and which one. */
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
 * A command of a module: `svc <words of its name>`. Names and summaries are in the manifest, so that help runs no
 * module.
 */
export interface Command {
  /** Words behind the name, in order; all optional ones last. */
  args?: { name: string, description: string, required?: boolean }[]
  /**
   * `options`: those of the manifest that were given, a flag as `true`. `progress`: one line on a terminal, overwritten
   * by the next. `runPart` calls `part` in a thread, and throws without one. Throw a problem for what cannot be done.
   */
  run (ctx: Ctx, input: {
    args: Record<string, string | undefined>
    options: Record<string, string | true | undefined>
    progress: (line: string) => void
    runPart<Output>(input: unknown): Promise<Output>
  }): Promise<CommandResult>
  /**
   * A part of work that keeps every processor busy, in a thread that has a `ctx` of its own. As many parts run at a
   * time as there are processors; the others wait. Input and output are plain data (structured clone). What it throws
   * keeps its name, message and stack.
   */
  part?(ctx: Ctx, input: unknown): Promise<unknown>
}
/** `text` for people, `json` for `--json`; not `ok` ends with exit code 1. */
export interface CommandResult { text: string, json: Json, ok: boolean }

// ---------------------------------------------------------------- imports

/** What a cell of a file means. */
export interface ImportColumn {
  /** Of the field, such as `first_name`. */
  name: string
  /** How headers of files name it, in any language. Case, accents and punctuation don't matter. */
  headers: string[]
  /**
   * Headers of columns that make the field together, in the order in which they are joined: street, postal code, city.
   * Of a field that takes the first that is not empty: which one is the best.
   */
  parts?: string[][]
  /**
   * Headers that name another field (`instead_of`), and this one if the file has no column for any of `without`: “Name”
   * is a last name, and all of it where there is no column for the first name.
   */
  alone?: { instead_of: string, without: string[], headers: string[] }[]
  /**
   * What several columns of the file for this field come to: the first that is not empty (also without this member), or
   * all of them, joined. People can then give the field several columns.
   */
  combine?: 'first' | 'join'
  /** Between joined cells: a blank, unless it says otherwise. */
  separator?: string
  /** Most columns of the file for this field; 4 without it. */
  most?: number
  /**
   * `read` can leave a cell of it out and keep the row (`lost`). People may choose to have such rows left out instead
   * (`on_wrong`).
   */
  optional?: boolean
}
/** Why a row is left out. `column` is a field's name; people see the file's own header. */
export interface ImportWrong { column: string, message: string }
/** A cell that the row is imported without, or how a cell was read. `value`: the cell, unless it says otherwise. */
export interface ImportRemark { column: string, message: string, value?: string }

/** Of a file without a mark. */
export type ImportEncoding = typeof import('./import/schemas.js').IMPORT_ENCODINGS[number]
/** How a file is to be read. What is absent is guessed, or as the clinic's language and country have it. */
export interface ImportOptions {
  encoding?: ImportEncoding
  /** Line of the file, from 1, with the names of the columns; 0: the file has none. */
  header_line?: number
  /** Of dates such as 3/4/1985. */
  date_order?: 'dmy' | 'mdy'
  /** Of names in one cell. A comma says it of itself. */
  name_order?: 'last_first' | 'first_last'
  /** Whose numbers the external ids are, as in `external_ids`: `[a-z0-9-]{1,30}`. */
  system?: string
  /** Fields whose wrong cells leave the whole row out; of others only the value is lost. */
  on_wrong?: Record<string, 'leave_row_out'>
}
/** What rows of a file are read with. */
export interface ImportAtHand<Given = any> { settings: ImportSettings, given: Given, options: ImportOptions }
/** As the clinic was when the file came: what its cells mean. */
export type ImportSettings = Pick<Clinic, 'locale' | 'country' | 'currency' | 'prices_include_tax'>

/** What the module has already of a row. */
export interface ImportMatch {
  /** Of the record; null: the row is new. */
  id: string | null
  /** Of a record: whether the row's cells say anything else. */
  changed: boolean
  /**
   * By what other rows of the file could find the record, as it is and as it will be, such as `code a1`: any words that
   * mean the same to every row.
   */
  names: string[]
  /** Names by which an earlier row of the file must not be found: else this row is wrong. */
  claims: string[]
  /** A record that gets another name: people see such rows before they run the import. */
  renamed?: { from: string, to: string } | undefined
  /** For `write`. */
  record?: unknown
}

/**
 * Records that come from a CSV file, row by row. The host reads the file, knows which column is what, counts, and
 * writes in batches of 500 rows, a transaction each; a stop in the middle continues behind the last whole batch.
 */
export interface ImportKind<Fields = any, Given = any> {
  columns: ImportColumn[]
  /** Once per run, before the first row: what `read` needs to know besides. */
  begin? (ctx: Ctx, at: { clinic_id: string, settings: ImportSettings, options: ImportOptions }): Promise<Given>
  /**
   * Every row once, before the first is read: what only a whole column can say, such as whether all of its dates are
   * serial numbers. It is kept in `given`, and must stay small.
   */
  survey? (cells: Record<string, string>, at: ImportAtHand<Given>): void
  /**
   * One row, by names of `columns`. Empty cells are left out, and leave what is stored as it is. `lost`: cells that the
   * row is imported without. `notes`: how cells were read that could be read in more than one way.
   */
  read (
    cells: Record<string, string>,
    at: ImportAtHand<Given>
  ): { fields: Fields, lost?: ImportRemark[], notes?: ImportRemark[] } | { wrong: ImportWrong }
  /**
   * For each row what is stored of it, or why it is wrong. With `lock` the rows stay as they are until the transaction
   * ends. A problem that it throws ends the import.
   */
  match (
    ctx: Ctx,
    batch: ImportAtHand<Given> & { clinic_id: string, tx: Tx, rows: Fields[], lock: boolean }
  ): Promise<(ImportMatch | { wrong: ImportWrong })[]>
  /** Rows that are new, or change a record. */
  write (
    ctx: Ctx,
    batch: ImportAtHand<Given> & { clinic_id: string, user_id: string | null, tx: Tx, rows: ImportRow<Fields>[] }
  ): Promise<void>
}
/** `id` of a new row is the one that its record gets. */
export interface ImportRow<Fields = any> { id: string, is_new: boolean, fields: Fields, match: ImportMatch }

/** Field → header of the file, or several. */
export type ImportMapping = Record<string, string | string[]>
/** What may stand inside a mapping besides, as it came. */
export type SentImportMapping = Record<string, string | string[] | ImportOptions['on_wrong']>
/** Options as a request changes them: null takes one back. */
export type ImportOptionsChange = { [Option in keyof ImportOptions]?: ImportOptions[Option] | null }
/** How the file is read: as it was chosen, else as it was guessed. */
export interface ImportForm {
  encoding: ImportEncoding
  /** Of the lines of a UTF-8 file that are not UTF-8, and the first 50 of these. */
  other: ImportEncoding | null
  other_lines: number[]
  /** Line of the file, from 1; 0: it has no names of columns. */
  header_line: number
  /** Lines that hold no record, such as a title or a total. */
  passed_over: number[]
  /** Cells with letters beyond ASCII, which show whether the encoding is right; none once it has ended. */
  samples: string[]
  /** The first rows of the file, a header and what is above it too; none once it has ended. */
  first_lines: { line: number, text: string }[]
}
/** All of them are in `errors.csv`. `first`: the first 50. */
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
  /** What was chosen. */
  options: ImportOptions
  form: ImportForm
  /** The first rows, cell by cell; none once it has ended. */
  preview: string[][]
  /** What the mapping can name. */
  fields: string[]
  /** Of these: those that can have several columns, and what the columns come to. */
  several: Record<string, 'first' | 'join'>
  /** Of these: those that `on_wrong` can name. */
  optional: string[]
  state: 'uploaded' | 'checked' | 'running' | 'done' | 'failed'
  progress: { done: number, total: number }
  /** How many checks of files end before this one's check begins; null: it waits for none. */
  checks_before: number | null
  /** Of the last check or run; null before. */
  counts: ImportCounts | null
  /** The first wrong rows. */
  errors: { line: number, column: string, message: string }[]
  /** Cells that their rows are imported without. */
  lost: ImportRemarks
  /** How cells were read that could be read in more than one way. */
  notes: ImportRemarks
  /** Records that get another name. */
  renamed: { total: number, first: { line: number, from: string, to: string }[] }
  /** Of a failed one: code of a problem. */
  reason: string | null
  created_at: string
  finished_at: string | null
}
interface ImportAt { clinic_id: string, id: string }

/**
 * Files of the module's import kinds, by the kind's name. `import-endpoints` of the kit makes endpoints of them. An
 * unknown id, another clinic's and one of another kind are `not_found`.
 */
export interface Imports {
  /**
   * `bytes`: multipart with `file`, `mapping` as JSON, and options by their names. Throws `file_unreadable`,
   * `payload_too_large`, `bad_request` for another body and `validation_failed` for a mapping that does not fit.
   */
  create (
    kind: string,
    at: { clinic_id: string, user_id: string | null, content_type: string | undefined, bytes: Uint8Array }
  ): Promise<ImportView>
  get (kind: string, at: ImportAt): Promise<ImportView>
  /**
   * Another encoding or header line reads the file again, and guesses the columns again unless `mapping` is there.
   * Throws `validation_failed`, `file_unreadable`, and `wrong_state` once it runs.
   */
  map (kind: string, at: ImportAt & { mapping?: SentImportMapping, options?: ImportOptionsChange }): Promise<ImportView>
  /**
   * Changes no records; keeps the counts. Each process checks one file at a time: until then `checks_before` says how
   * many come first. Ends with the reason of `signal`. Throws `wrong_state`, `busy` when too many wait, and what
   * `match` throws.
   */
  check (kind: string, at: ImportAt & { signal?: AbortSignal }): Promise<ImportView>
  /** Starts the job that writes. Throws `wrong_state`. */
  run (kind: string, at: ImportAt & { actor: Actor, client: Client }): Promise<ImportView>
  /** All wrong rows as CSV. */
  errors (kind: string, at: ImportAt): Promise<string>
}

export interface HookCtx extends Ctx {
  from_version: string | null
  /** Aborted when the process must stop. */
  signal: AbortSignal
  /** Runs `fn` once per operation for work outside the database; its result is kept. */
  once<T> (key: string, fn: () => Promise<T>): Promise<T>
}

// ---------------------------------------------------------------- module

/** What is no endpoint: those are files below `server/api/v1/`, found by their names. */
export interface ModuleDefinition {
  /** Subscribers. At least once, in order per key. */
  on?: Record<string, (event: EventEnvelope<any>, ctx: Ctx) => Promise<void>>
  jobs?: Record<string, {
    /** Five fields of numbers, UTC, by the database's clock; what was missed while nothing ran is one run, at once. */
    cron?: string
    run (payload: any, ctx: Ctx, info: { attempt: number }): Promise<void>
  }>
  problems?: ProblemTable
  hooks?: {
    install? (ctx: HookCtx): Promise<void>
    post_upgrade? (ctx: HookCtx, from_version: string): Promise<void>
    uninstall? (ctx: HookCtx): Promise<void>
    before_uninstall? (ctx: HookCtx): Promise<{ reason: string, hard?: boolean }[]>
    /**
     * Asked before a clinic's settings change, in the change's transaction, and when the clinic is shown, to say
     * whether its currency can change. `change` has what would be another value than before. Returns an entry for each
     * field that must stay.
     */
    before_clinic_change? (
      ctx: Ctx,
      asked: { clinic_id: string, change: ClinicSettings, tx: Tx }
    ): Promise<ClinicVeto[]>
    /**
     * Brings the module's data in line with a clinic's settings that have just changed, in the change's transaction.
     * `change` is as in `before_clinic_change`. Returns what it did. A preview calls it too and rolls back: write
     * through `tx` only.
     */
    after_clinic_change? (
      ctx: Ctx,
      done: { clinic_id: string, change: ClinicSettings, tx: Tx }
    ): Promise<ClinicEffect[]>
    /**
     * Gives the first clinic of an instance what it starts with, in the transaction of the set-up, dependencies first.
     * `catalogue`: what the person asked for. Write through `tx` only, and read the clinic with `ctx.clinics.get(id,
     * tx)`. Throwing refuses the whole set-up.
     */
    start_clinic? (
      ctx: Ctx,
      start: { clinic_id: string, catalogue: 'none' | 'starter', tx: Tx }
    ): Promise<void>
    /** Whose record this is; null when this module keeps none of that id. */
    find_person? (ctx: Ctx, id: string): Promise<Person | null>
    /** All that this module holds of the person. */
    export? (ctx: Ctx, person: Person): Promise<PersonData>
    /**
     * Erases the person's data: no name, address, number, free text or picture stays in a table. `ctx.db` is the
     * transaction of the whole erasure, dependants first; a dry run is rolled back, and must write no file. Throw a
     * problem to refuse the whole: `erasure_blocked` when it is only too early.
     */
    erase? (ctx: Ctx, person: Person, options: { dry_run: boolean }): Promise<Erasure>
  }
  /** By their names, such as `patients`: the word of `svc import` too. */
  imports?: Record<string, ImportKind>
  /** By the names of the manifest's `commands`. */
  commands?: Record<string, Command>
  /** What other modules get from `ctx.use('<name>')`. */
  exports?: (ctx: Ctx) => object
  /** Findings for `svc modules doctor` under Integrity. */
  doctor?: (ctx: Ctx) => Promise<Finding[]>
  /** Gauges of what it has in the database, for `/metrics`: asked at each scrape, so cheap questions only. */
  metrics?: (ctx: Ctx) => Promise<Gauge[]>
  /**
   * Fills a demo clinic on behalf of one of its members; safe to run twice. Run in dependency order by `svc demo seed`.
   */
  demo?: (ctx: Ctx, demo: { clinic_id: string, user_id: string }) => Promise<void>
}
/** `name` comes after `svc_<module>_`; the members of one name have the same labels. */
export interface Gauge { name: string, help: string, value: number, labels?: Record<string, string> }
export interface Finding { code: string, object: string, message: string, fix: string, advice?: boolean }

/** Identity: a plain object of the same shape is a module too. */
export function defineModule(definition: ModuleDefinition): ModuleDefinition
