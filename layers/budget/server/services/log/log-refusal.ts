import { isProblem, type Ctx } from '@svc/kit'
import { logAccess, type LogEntry } from './log-access.ts'

/** The decision as it would have been logged, and who tried. */
export type Attempt = Pick<LogEntry, 'budget_id' | 'action' | 'actor' | 'user_id' | 'client'>

/**
 * Runs the transaction of a decision. If a module's guard refuses it, the log gets a row with the module and the code,
 * after the rollback.
 */
export async function logRefusal<T>(ctx: Ctx, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isProblem(error) && typeof error.fields.module === 'string')
      await writeRow(ctx, attempt, { module: error.fields.module, code: error.code })
    throw error
  }
}

/** The refusal itself matters more than its row, so a failure to write it is only logged. */
async function writeRow(ctx: Ctx, attempt: Attempt, detail: { module: string, code: string }): Promise<void> {
  try {
    await ctx.db.transaction(tx => logAccess(ctx, tx, { ...attempt, success: false, detail }))
  } catch (error) {
    ctx.log.error('step.refusal.not_logged', { budget_id: attempt.budget_id, ...detail, error })
  }
}
