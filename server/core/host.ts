import type { Ctx, Db, Logger, ModuleDefinition, ModuleSettings, ProblemTable } from '@svc/kit'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { Manifest } from './manifest.ts'
import type { Secrets } from './secrets.ts'
import type { Threads } from './threads.ts'
import type {
  Activity, CheckQueue, LaterAudit, Metrics, Route, SealingKey, SetupState, Tracing, Trouble, UploadLimit
} from './types.ts'

/** The core's shared services, created once by `open-host.ts`. Each member is a `createX()` closure in its own file. */
export interface Host {
  config: Config
  /** Different for each process start. */
  boot_id: string
  /** The product's version, from package.json. */
  version: string
  database: Database
  db: Db
  localTransaction: Ctx['localTransaction']
  /** Whether commits are waiting for a synchronous standby now, for longer than a busy network explains. */
  commitsWait: () => Promise<boolean>
  log: Logger
  secrets: Secrets
  files: Ctx['files']
  mail: Ctx['mail']
  clinics: Ctx['clinics']
  users: Ctx['users']
  documents: Ctx['documents']
  /** From `SVC_SEAL_P12`; null: the instance seals with its own certificate. */
  operator_certificate: SealingKey | null
  threads: Threads
  /** Only of this process. */
  import_checks: CheckQueue
  uploads: UploadLimit
  events: Pick<Ctx['events'], 'publish'>
  jobs: (module: string) => Ctx['jobs']
  /** `definition`: of a module that does not run yet, in its own hooks. `db`: their transaction. */
  settings: (module: { name: string, definition?: () => Promise<ModuleDefinition> }, db?: Db) => ModuleSettings
  limits: Limits
  setup: SetupState
  /** For entries that belong to no transaction. */
  audit: LaterAudit
  /** Activity of the workers in this process. */
  activity: Activity
  /** Failures of external resources that this process has observed. */
  troubles: { database: Trouble, documents: Trouble }
  metrics: Metrics
  tracing: Tracing
  /** The running modules in this process; complete before traffic is accepted. */
  registry: Registry
  /** The OpenAPI document as JSON. */
  describeApi: () => Promise<string>
  /** Ends this process and then every other instance, one after the other, to be started again. */
  restart: () => Promise<void>
}

/** Counters in the database, shared by all instances, with the database's clock. */
export interface Limits {
  limiter (limit: { name: string, points: number, seconds: number }): Limiter
  /**
   * One attempt at a time: the pause after each doubles, from `first` to `longest` seconds, and is reset after a quiet
   * hour.
   */
  pauses (pause: { name: string, first: number, longest: number }): Limiter
}
export interface LimitState { allowed: boolean, remaining: number, /** seconds until the window ends */ reset: number }
export interface Limiter {
  /** Counts nothing. */
  peek (key: string): Promise<LimitState>
  take (key: string): Promise<LimitState>
  /** For an attempt that must not count after all. */
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

/** An installed module that does not run: its routes answer 503 `module_errored`. */
export interface BrokenModule {
  name: string
  reason: string
  routes: Route[]
  /** Events that it subscribes to; empty if the entry could not be imported. */
  subscribes: string[]
  /** Steps that it refuses while it does not run, by its manifest. */
  guards: string[]
  /** Places that it has clauses for, in the same way. */
  clauses: string[]
}

/** `running`: null if the module does not run, which refuses the step. */
export interface GuardOfStep { module: string, running: RunningModule | null }

export interface Registry {
  modules: RunningModule[]
  broken: BrokenModule[]
  get (name: string): RunningModule | undefined
  /** The names of installed modules that subscribe to an event. Deliveries wait for a module that does not run now. */
  subscribers (event: string): string[]
  /** The modules that guard a step: first those that do not run, then the others, dependencies first. */
  guards (step: string): GuardOfStep[]
  /** Full permission names of the running modules and the core. */
  permissions: ReadonlySet<string>
  /** The permissions of a role, as full names. */
  permissionsOf (role: string): ReadonlySet<string>
  /** The merged code → problem table: the core's, then each module's. */
  problems (module: string | null): ProblemTable
}
