import { randomUUID } from 'node:crypto'
import { problem, type Ctx, type Tx } from '@svc/kit'
import { findBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import {
  claimNotice,
  findNotice,
  insertNotice,
  markNotified,
  releaseNotice,
  RENEW_CLAIM_MS,
  renewNotice,
  type NoticeRow
} from '../../db/notices.ts'
import { findSignature } from '../../db/signatures.ts'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'
import { decisionMessage } from '../../mail/decision-message.ts'
import type { Decider } from './decide.ts'
import { sendToStaff } from '../budget/send-to-staff.ts'

export const NOTIFY_DECISION = 'notify-decision'

/** Not for a decision in the clinic, which staff recorded themselves. */
export async function queueNotice(ctx: Ctx, tx: Tx, { budget, by }: { budget: BudgetRow, by: Decider }): Promise<void> {
  if (by.via === 'in_clinic') return
  const { id, clinic_id } = budget
  if (!await insertNotice(tx, { budget_id: id, clinic_id, message_id: randomUUID() })) return
  await ctx.jobs.add(tx, NOTIFY_DECISION, { clinic_id, id }, { key: `notice:${id}` })
}

/**
 * The job: emails staff once, however often and wherever it runs. A temporary refusal of the mail server is thrown, so
 * that the job is retried.
 */
export async function notifyDecision(ctx: Ctx, key: BudgetKey): Promise<void> {
  const notice = await claimNotice(ctx.db, key.id)
  if (!notice) return await assertNotified(ctx, key.id)
  try {
    await whileClaimed(ctx, notice, () => notify(ctx, key, notice.message_id))
  } catch (error) {
    if (!classifyFailure(error).is_final) {
      await releaseNotice(ctx.db, notice)
      throw error
    }
    ctx.log.warn('notice.refused', { budget_id: key.id, error })
  }
  await markNotified(ctx.db, key.id)
}

/** Renews the claim, because a mail server may take longer than a claim lasts. */
async function whileClaimed(ctx: Ctx, notice: NoticeRow, run: () => Promise<void>): Promise<void> {
  const { budget_id } = notice
  const renewing = setInterval(() => {
    renewNotice(ctx.db, notice).catch((error: unknown) => ctx.log.warn('notice.claim', { budget_id, error }))
  }, RENEW_CLAIM_MS)
  try {
    await run()
  } finally {
    clearInterval(renewing)
  }
}

/** The process that holds the claim may have died, so this run is retried until the claim has expired. */
async function assertNotified(ctx: Ctx, budget_id: string): Promise<void> {
  const notice = await findNotice(ctx.db, budget_id)
  if (notice?.done_at === null)
    throw problem('busy', { detail: 'Another process is emailing the staff about this decision.', retry_after: 10 })
}

async function notify(ctx: Ctx, key: BudgetKey, id: string): Promise<void> {
  const [clinic, budget, signature] = [
    await ctx.clinics.get(key.clinic_id),
    await findBudget(ctx.db, key),
    await findSignature(ctx.db, key.id)
  ]
  if (!clinic.notify_decisions || !budget || !signature) return
  const author = budget.created_by && await ctx.users.email(budget.clinic_id, budget.created_by)
  const to = author ?? clinic.email
  if (!to) return
  const url = `${ctx.base_url}/budgets/${budget.id}`
  const message = { to, id, ...decisionMessage({ clinic, number: budget.number, decision: signature.decision, url }) }
  await sendToStaff(ctx, message, { to: clinic.email, budget_id: budget.id })
}
