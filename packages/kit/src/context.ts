import type { Sql } from 'postgres'
import type * as drizzle from 'drizzle-orm'
import type * as pgCore from 'drizzle-orm/pg-core'
import type { AuditEntry } from './audit-entry.ts'
import type { Clinic } from './clinic.ts'
import type { AnyTx, Db, Tx } from './database.ts'
import type { EventValues, Published } from './events.ts'
import type { Imports } from './import/views.ts'
import type { ModuleExports } from './modules/index.ts'
import type { problem } from './problems.ts'
import type { Channels, Deliveries, Outbox } from './reach/channels.ts'
import type { Outgoing } from './reach/outgoing.ts'
import type { reply } from './replies.ts'
import type { ClausesAt, ModuleClause } from './reach/clauses.ts'
import type { Steps } from './reach/steps.ts'
import type { Sections } from './reach/sections.ts'
import type { ModuleSettings } from './module/settings.ts'

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
    publish<Name extends string> (
      tx: AnyTx,
      name: Name,
      payload: Published<Name>,
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
    collect<At extends ClausesAt> (place: string, at: At): Promise<ModuleClause[]>
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
  /** A declared dependency's exports; throws for any other name. `ModuleExports` has their types. */
  use<Name extends keyof ModuleExports> (name: Name): ModuleExports[Name]
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
  /** Files for messages of a channel without a provider. */
  outbox: Outbox
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

export interface HookCtx extends Ctx {
  from_version: string | null
  /** Aborted when the process must stop. */
  signal: AbortSignal
  /** Runs `fn`, work outside the database, once per operation and stores its result. */
  once<T> (key: string, fn: () => Promise<T>): Promise<T>
}
