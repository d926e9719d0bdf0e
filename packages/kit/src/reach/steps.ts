import type { TransactionSql } from 'postgres'
import type { Ctx } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Schema } from '../endpoints.ts'
import type { StepPayloads } from '../modules/index.ts'

/**
 * A decision of a module that other modules may refuse. Its owner declares it in `steps`, under a name that begins with
 * the module's, and calls `ctx.steps.check` in the decision's transaction.
 */
export interface StepDefinition<P = any> {
  /** One sentence that says what is decided. */
  summary?: string
  /** The data about the decision that a guard gets. A payload that doesn't fit is an error of the owner. */
  payload: Schema<P>
}

/** A decision that is about to be made. */
export interface Step<P = any> {
  /** Such as `budget.accept`. */
  name: string
  payload: P
  /**
   * The transaction of the decision, which holds the lock of its row. What a guard writes through it commits with the
   * decision, or not at all. It ends with the guard: later statements throw.
   */
  tx: Tx
}

/**
 * Lets the decision pass by returning. A thrown problem refuses it: its status and title come from the `problems` of
 * the guard's module, and people see its text. Anything else that it throws, an error of SQL, an outgoing call, or more
 * than two seconds, refuses the decision with 503 `module_errored`. `ctx.db` and `ctx.sql` are the transaction's, too.
 */
export type Guard<P = any> = (ctx: Ctx, step: Step<P>) => Promise<void>

/** Own steps, with the payloads of `StepPayloads`. */
export type StepDefinitions = { [Name in keyof StepPayloads]?: StepDefinition<StepPayloads[Name]> }
  & Record<string, StepDefinition>
/** Guards by step. */
export type Guards = { [Name in keyof StepPayloads]?: Guard<StepPayloads[Name]> } & Record<string, Guard>

export interface Steps {
  /**
   * Asks all guards of an own step, those of dependencies first. Call it after the row's lock, and before anything is
   * written. Throws the guard's problem with its module's name as `module`. The transaction must then be rolled back.
   */
  check<Name extends string> (
    tx: Tx | TransactionSql,
    name: Name,
    payload: Name extends keyof StepPayloads ? StepPayloads[Name] : Record<string, unknown>
  ): Promise<void>
}
