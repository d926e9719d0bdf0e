import type { Attributes } from '@opentelemetry/api'
import type { webcrypto } from 'node:crypto'
import type { AuditEntry } from '@svc/kit'
import type { Host } from './host.ts'

// Types of the members of `host.ts`. They are not beside their `createX()`, so that `host.ts` imports no room.

/** Records refusals after their answer, because they belong to no transaction. */
export interface LaterAudit {
  /** `find` is called when the record is next in the queue. */
  record (refusal: Refusal, find: () => Promise<AuditEntry[]>): void
  /** Resolves when everything recorded so far has been written. */
  settled (): Promise<void>
}

/** Known before its rows are looked up: the member's or account's id decides how many may wait. */
type Refusal
  = | { action: 'denied', actor_id: string | null, clinic_id: string }
    /** Recorded in each clinic of the account, which are looked up later. */
    | { action: 'sign_in_failed', actor_id: string }

export interface SealingKey {
  /** DER. */
  certificate: Uint8Array
  /** DER of its issuers, nearest first; empty for a self-signed one. */
  chain: Uint8Array[]
  private_key: webcrypto.CryptoKey
  not_before: Date
  not_after: Date
}

/** Whether the worker of this process works: what a probe can see of it. */
export interface Activity {
  /** It has just looked for what is due. */
  note(): void
  /** Seconds since then. A worker looks every five seconds, whatever its handlers do. */
  seconds(): number
}

export interface QueuedCheck {
  /** The import's id. */
  id: string
  clinic_id: string
  /** Aborted when the result is no longer needed. */
  signal?: AbortSignal
}

export interface UploadLimit {
  /** Throws `busy` if too many uploads are running. */
  run<T> (clinic_id: string, work: () => Promise<T>): Promise<T>
}

/** Checks files one at a time in this process: several at once would need several times the memory. */
export interface CheckQueue {
  /** Throws `busy` if too many checks wait or the process is stopping, and the signal's reason if it is aborted. */
  run<T> (check: QueuedCheck, work: () => Promise<T>): Promise<T>
  /** How many checks end before the import's check begins; null if none of its checks is waiting here. */
  countBefore (id: string): number | null
  /** Refuses the waiting checks and all later ones. The running one may finish. */
  close (): void
}

/**
 * An answered request. `route` is the template, never the path: paths contain tokens, and each value would be a series
 * of its own.
 */
interface Observed { method: string, route: string, status: number, seconds: number }

/** A module's call to another service. `outcome`: `2xx` to `5xx`, or the reason of its failure. */
interface ObservedCall { module: string, outcome: string, seconds: number }

export type Measured = Pick<Host, 'database' | 'registry' | 'activity' | 'troubles' | 'log' | 'version'>

export interface Metrics {
  observe (request: Observed): void
  observeCall (call: ObservedCall): void
  /** Prometheus' text format. */
  text (host: Measured): Promise<{ type: string, body: string }>
}

export interface TracedWork {
  /** A name with few possible values: no path, id or person's name. */
  name: string
  attributes: Attributes
  /** A request to this process, work that a request queued, or a call to another service within either. */
  kind: 'request' | 'work' | 'call'
  /**
   * A request continues the caller's trace. Queued work has a trace of its own, with a link to the one that queued it.
   * A call belongs to the trace in which it is made.
   */
  traceparent?: string
}

export interface Tracing {
  /**
   * Runs it as a span. `outcome` returns attributes that are known only afterwards. Without a receiver, a request keeps
   * its caller's trace id for the log.
   */
  run<T> (work: TracedWork, what: () => Promise<T>, outcome?: (result: T) => Attributes): Promise<T>
  /** Sends the remaining spans, for at most 2 s. */
  close (): Promise<void>
}

/** What this process observes about an external resource: whether it fails, and for how long. */
export interface Trouble {
  /** Call it when a use has failed. */
  note(): void
  /** Call it when a use has worked. */
  clear(): void
  /** Like `clear`, for a small trial use, which proves less: a recent failure counts for more. */
  clearUnlessRecent(): void
  /** Watches one use, which counts as failing if it takes too long. */
  watch<T>(use: Promise<T>): Promise<T>
  /** For how long it has failed, at least 1; 0 if it works. */
  seconds(): number
}

export interface SetupState {
  /** Whether the database has no clinic yet. */
  isNeeded(): Promise<boolean>
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** An endpoint and the name of its file. */
export interface Route {
  /** Null for the core's own. */
  module: string | null
  method: Method
  /** From the root of the site, parameters as `:name`. */
  path: string
  load (): Promise<{ default?: unknown }>
}
