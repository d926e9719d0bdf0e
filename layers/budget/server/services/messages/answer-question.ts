import { problem, type Client, type Ctx, type Tx } from '@svc/kit'
import type { StaffMessage } from '../../../shared/messages.ts'
import { lockVersions, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { markThreadRead } from '../../db/messages.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'
import { withNames } from './list-messages.ts'
import { queueAnswerNotice } from './notify-answer.ts'
import { writeMessage } from './write-message.ts'

type By = BudgetKey & { user_id: string, client: Client, /** See `AnswerRequest`. */ seen?: string | null }

/**
 * The clinic's message to the patient, on the newest version that the patient can read. Questions count as answered if
 * staff have seen them. Throws `not_found`, `patient_erased`, or `wrong_state` before anything was sent.
 */
export async function answerQuestion(ctx: Ctx, { text, ...by }: By & { text: string }): Promise<StaffMessage> {
  const message = await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockThread(ctx, tx, by)
    const message = await writeMessage(ctx, tx, { budget, now, from: 'clinic', user_id: by.user_id, text })
    await markThreadRead(tx, budget, by.seen)
    await log(ctx, tx, { ...by, budget, now, action: 'question_answered', detail: { message_id: message.id } })
    const fields = { message_id: message.id, answered_at: now.toISOString(), answered_by: by.user_id }
    await publishFact(ctx, tx, { name: 'budget.question_answered', budget, fields })
    await queueAnswerNotice(ctx, tx, { clinic_id: budget.clinic_id, id: budget.id, message_id: message.id })
    return message
  })
  return (await withNames(ctx, [message]))[0]!
}

/**
 * Marks the open questions as read without an answer, for example after a call. Throws `not_found`, `patient_erased` or
 * `wrong_state`.
 */
export async function markRead(ctx: Ctx, by: By): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockThread(ctx, tx, by)
    const marked = await markThreadRead(tx, budget, by.seen)
    if (marked > 0) await log(ctx, tx, { ...by, budget, now, action: 'question_read' })
  })
}

/** Locks all versions of the number and returns this patient's newest sent one. */
async function lockThread(ctx: Ctx, tx: Tx, key: BudgetKey): Promise<{ budget: BudgetRow, now: Date }> {
  const { id, clinic_id, number } = await getStaffBudget(tx, key)
  const versions = await lockVersions(tx, { clinic_id, number })
  const asked = versions.find(version => version.id === id)
  if (!asked) throw problem('not_found')
  if (asked.erased_at) throw problem('patient_erased')
  const budget = versions.findLast(({ sent_at, patient_id }) => sent_at !== null && patient_id === asked.patient_id)
  if (!budget)
    throw problem('wrong_state', { detail: 'This budget was not sent yet, so the patient can’t read a message. Send it first.' })
  return { budget, now: await ctx.clock.now(tx) }
}

interface Entry extends Pick<By, 'user_id' | 'client'> {
  budget: BudgetRow
  now: Date
  action: 'question_answered' | 'question_read'
  detail?: Record<string, string>
}

const log = (ctx: Ctx, tx: Tx, { budget, now, action, user_id, client, detail }: Entry): Promise<void> =>
  logAccess(ctx, tx, { budget_id: budget.id, action, actor: 'staff', user_id, client, detail }, { ...budget, now })
