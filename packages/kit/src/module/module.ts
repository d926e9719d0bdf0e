import type { ClinicEffect, ClinicSettings, ClinicVeto } from '../clinic.ts'
import type { Channel } from '../reach/channels.ts'
import type { ClausesFor } from '../reach/clauses.ts'
import type { Command } from './commands.ts'
import type { Ctx, HookCtx } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Subscribers } from '../events.ts'
import type { ImportKind } from '../import/kinds.ts'
import type { Erasure, Person, PersonData } from './people.ts'
import type { ProblemTable } from '../problems.ts'
import type { AccessFunction } from '../requests.ts'
import type { SectionsFor, StaffSectionsFor } from '../reach/sections.ts'
import type { SettingsDeclaration } from './settings.ts'
import type { Guards, StepDefinitions } from '../reach/steps.ts'

/** Everything except endpoints, which are files below `server/api/v1/` and found by their names. */
export interface ModuleDefinition {
  /** Subscribers. Each event is delivered at least once, in order per key. */
  on?: Subscribers
  jobs?: Record<string, {
    /**
     * Five numeric fields, UTC, by the database's clock. Runs missed while no process was up become one immediate run.
     */
    cron?: string
    run (payload: any, ctx: Ctx, info: { attempt: number }): Promise<void>
  }>
  problems?: ProblemTable
  /** Own decisions that other modules may refuse, by their names, such as `budget.accept`. */
  steps?: StepDefinitions
  /** Guards of steps, by the steps' names. The manifest's `guards` names each of them. */
  before?: Guards
  /** Clauses for documents of other modules, by the place, such as `notes.content`. */
  clauses?: ClausesFor
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
  public_sections?: SectionsFor
  /**
   * Sections of pages for the clinic by the page's name, such as `reports.clinic`. They are called with each view, by
   * people who may see the page, and only read.
   */
  staff_sections?: StaffSectionsFor
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
export const defineModule = (definition: ModuleDefinition): ModuleDefinition => definition
