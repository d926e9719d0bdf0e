import { isProblem, type Client, type Ctx } from '@svc/kit'
import { findClinicOfLog, hasTamperingRow, lockHead } from '../../db/access-log.ts'
import { logAccess, type LogEntry } from './log-access.ts'

/** The attempted action, the version, and who tried. */
export type RefusedAction = Pick<LogEntry, 'actor' | 'user_id'> & {
  budget_id: string
  action: 'viewed' | 'pdf_download' | 'accepted' | 'rejected'
  client: Client
}

/**
 * Runs `work`. If it is refused with `content_tampered`, the log gets a row, so that the clinic sees when it began: one
 * per version, action and hour, since an open page tries again and again.
 */
export async function logTampering<T>(ctx: Ctx, tried: RefusedAction, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isProblem(error) && error.code === 'content_tampered') await writeRow(ctx, tried)
    throw error
  }
}

/** The refusal itself matters more than its row, so a failure to write it is only logged. */
async function writeRow(ctx: Ctx, tried: RefusedAction): Promise<void> {
  try {
    if (await hasTamperingRow(ctx.db, tried)) return
    await ctx.db.transaction(async (tx) => {
      const head = await lockHead(tx, tried.budget_id)
      // Checked again under the lock: of parallel calls only one writes a row.
      if (!head || await hasTamperingRow(tx, tried)) return
      // The budget's clinic may have been changed, so the row gets the clinic of its log, which stays valid once the
      // budget is restored.
      const clinic_id = await findClinicOfLog(tx, tried.budget_id) ?? head.clinic_id
      const entry = { ...tried, success: false, detail: { reason: 'content_tampered' } }
      await logAccess(ctx, tx, entry, { ...head, clinic_id })
    })
  } catch (error) {
    ctx.log.error('content.tampered.not_logged', { budget_id: tried.budget_id, error })
  }
}
