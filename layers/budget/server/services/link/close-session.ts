import type { Client, Ctx } from '@svc/kit'
import { lockWithTime } from '../../db/transitions.ts'
import { endSession } from '../../db/sessions.ts'
import type { LinkSession } from './find-link.ts'
import { logAccess } from '../log/log-access.ts'

export async function closeSession(
  ctx: Ctx,
  { session, client }: { session: LinkSession, client: Client }
): Promise<void> {
  const budget_id = session.budget.id
  await ctx.db.transaction(async (tx) => {
    await lockWithTime(tx, budget_id) // lets a running decision finish first
    if (!(await endSession(tx, session.session.session_hash))) return
    await logAccess(ctx, tx, { budget_id, action: 'session_closed', actor: 'patient', client })
  })
}
