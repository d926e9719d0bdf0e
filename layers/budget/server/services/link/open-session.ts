import type { Client, Ctx } from '@svc/kit'
import { mintToken, tokenHash } from './link-token.ts'
import { clearFailures } from '../../db/links.ts'
import { IDLE_SECONDS, insertSession } from '../../db/sessions.ts'
import { lockHead } from '../../db/access-log.ts'
import { logAccess } from '../proof/log-access.ts'
import { digestLookUp, sessionSeal } from './row-seals.ts'
import { sessionMark } from './session-mark.ts'

/** `value` is the cookie's; the database keeps a MAC over its hash only. */
export interface OpenedSession { value: string, session_expires_at: Date }

/** After a right code: a new epoch and a session. Null when the code was changed while it was compared. */
export async function openSession(
  ctx: Ctx,
  {
    budget_id,
    clinic_id,
    code_hash,
    client
  }: { budget_id: string, clinic_id: string, code_hash: string, client: Client }
): Promise<OpenedSession | null> {
  const value = mintToken()
  return await ctx.db.transaction(async (tx) => {
    const head = await lockHead(tx, budget_id) // the budget before its link, as everywhere
    const link = head && (await clearFailures(tx, { budget_id, code_hash }))
    if (!link) return null
    const session = {
      session_hash: digestLookUp(ctx.secrets, tokenHash(value)),
      budget_id,
      clinic_id,
      created_at: head.now
    }
    await insertSession(tx, { ...session, seal: sessionSeal(ctx.secrets, session, link) })
    await logAccess(
      ctx,
      tx,
      { budget_id, action: 'verify', actor: 'patient', client, detail: { session: sessionMark(session.session_hash) } },
      head
    )
    return { value, session_expires_at: new Date(head.now.getTime() + IDLE_SECONDS * 1000) }
  })
}
