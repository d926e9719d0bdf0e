import type { Ctx, Db, Logger, ModuleDefinition, ProblemTable } from '@svc/kit'
import type { LaterAudit } from './audit/later.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { SealingKey } from './documents/certificate.ts'
import type { Activity } from './events/activity.ts'
import type { Route } from './http/scan.ts'
import type { CheckQueue } from './imports/check-queue.ts'
import type { Manifest } from './modules/manifest.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Tracing } from './observe/tracing.ts'
import type { Trouble } from './observe/trouble.ts'
import type { Secrets } from './secrets.ts'
import type { SetupState } from './setup/setup-state.ts'
import type { Threads } from './threads.ts'

/**
 * Everything the core hands around, made once by `open-host.ts`. Each member is a `createX()` closure of its own file.
 */
export interface Host {
  config: Config
  /** New with each process start. */
  boot_id: string
  /** The product's version, from package.json. */
  version: string
  database: Database
  db: Db
  localTransaction: Ctx['localTransaction']
  /** Whether commits wait for a synchronous standby at this moment, for longer than a busy network takes. */
  commitsWait: () => Promise<boolean>
  log: Logger
  secrets: Secrets
  files: Ctx['files']
  mail: Ctx['mail']
  clinics: Ctx['clinics']
  users: Ctx['users']
  documents: Ctx['documents']
  /** Of `SVC_SEAL_P12`; null: the instance seals with its own. */
  operator_certificate: SealingKey | null
  threads: Threads
  /** Of this process. */
  import_checks: CheckQueue
  events: Pick<Ctx['events'], 'publish'>
  jobs: (module: string) => Ctx['jobs']
  limits: Limits
  setup: SetupState
  /** For what belongs to no transaction. */
  audit: LaterAudit
  /** Of the workers in this process. */
  activity: Activity
  /** What this process has seen of what it depends on. */
  troubles: { database: Trouble, documents: Trouble }
  metrics: Metrics
  tracing: Tracing
  /** The modules that run in this process; complete before traffic is accepted. */
  registry: Registry
  /** The OpenAPI document as JSON. */
  describeApi: () => Promise<string>
  /** Ends this process and every other instance, one after the other, to be started again. */
  restart: () => Promise<void>
}

/** Counters in the database, one for all instances, by its clock. */
export interface Limits {
  limiter (limit: { name: string, points: number, seconds: number }): Limiter
  /**
   * One try at a time: the pause after each doubles, from `first` to `longest` seconds, and starts again after a
   * quiet hour.
   */
  pauses (pause: { name: string, first: number, longest: number }): Limiter
}
export interface LimitState { allowed: boolean, remaining: number, /** seconds until the window ends */ reset: number }
export interface Limiter {
  /** Counts nothing. */
  peek (key: string): Promise<LimitState>
  take (key: string): Promise<LimitState>
  /** For one that is not to count after all. */
  refundAttempt (key: string): Promise<void>
}

export interface RunningModule {
  name: string
  version: string
  manifest: Manifest
  definition: ModuleDefinition
  routes: Route[]
  ctx: Ctx
}

/** A module that is installed but does not run: its routes answer 503 `module_errored`. */
export interface BrokenModule {
  name: string
  reason: string
  routes: Route[]
  /** Names of events it subscribes to; known when the entry could be imported. */
  subscribes: string[]
}

export interface Registry {
  modules: RunningModule[]
  broken: BrokenModule[]
  get (name: string): RunningModule | undefined
  /** Names of the installed modules that subscribe to an event; for one that does not run now the deliveries wait. */
  subscribers (event: string): string[]
  /** Concrete permission names of running modules and the core's own. */
  permissions: ReadonlySet<string>
  /** What a role may do, concrete names only. */
  permissionsOf (role: string): ReadonlySet<string>
  /** The merged code → problem table: the core's, then each module's. */
  problems (module: string | null): ProblemTable
}
