import type { Ctx } from '@svc/kit'
import { takeDueAttempts, takeDueRefunds } from '../../db/attempts.ts'

/**
 * Queues a job for each attempt and refund whose provider has to be asked now. With a key, so that the jobs of one run
 * in order where they wait for longer than the schedule.
 */
export async function reconcile(ctx: Ctx): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    for (const attempt_id of await takeDueAttempts(tx)) await ctx.jobs.add(tx, 'check_attempt', { attempt_id }, { key: attempt_id })
    for (const refund_id of await takeDueRefunds(tx)) await ctx.jobs.add(tx, 'check_refund', { refund_id }, { key: refund_id })
  })
}
