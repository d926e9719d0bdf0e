import { problem, type Client, type Ctx } from '@svc/kit'
import type { PatientMessage } from '../../../shared/messages.ts'
import { lockVersions } from '../../db/budgets.ts'
import { countAsked } from '../../db/messages.ts'
import { isSessionLive } from '../../db/sessions.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { codeRequired, type LinkSession } from '../link/find-link.ts'
import { logAccess } from '../log/log-access.ts'
import { patientMessage } from './list-messages.ts'
import { queueQuestionNotice } from './notify-question.ts'
import { writeMessage } from './write-message.ts'

/** Limit in any 24 hours, per link. */
export const MAX_QUESTIONS = 10

/**
 * Asks a question about a version that the patient can read, in any state, which stays the same. Throws `code_required`
 * or `too_many_requests`.
 */
export async function askQuestion(
  ctx: Ctx,
  { session, client, text }: { session: LinkSession, client: Client, text: string }
): Promise<PatientMessage> {
  return await ctx.db.transaction(async (tx) => {
    const budget = (await lockVersions(tx, session.budget)).find(({ id }) => id === session.budget.id)
    if (!budget) throw problem('link_not_found')
    if (!await isSessionLive(tx, session.session.session_hash)) throw codeRequired(session.token)
    const { n, seconds } = await countAsked(tx, budget.id)
    if (n >= MAX_QUESTIONS)
      throw problem('too_many_requests', {
        detail: `You can send at most ${MAX_QUESTIONS} questions in 24 hours. Call the clinic.`,
        retry_after: Math.max(1, seconds)
      })
    const now = await ctx.clock.now(tx)
    const message = await writeMessage(ctx, tx, { budget, now, from: 'patient', user_id: null, text })
    const detail = { message_id: message.id }
    await logAccess(
      ctx,
      tx,
      { budget_id: budget.id, action: 'question_asked', actor: 'patient', client, detail },
      { ...budget, now }
    )
    const fields = { message_id: message.id, asked_at: now.toISOString() }
    await publishFact(ctx, tx, { name: 'budget.question_asked', budget, fields })
    await queueQuestionNotice(ctx, tx, { clinic_id: budget.clinic_id, id: budget.id, message_id: message.id })
    return patientMessage(message)
  })
}
