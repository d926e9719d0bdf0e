import type { Ctx, DeliveryReport } from '@svc/kit'
import { classifyFailure } from '../../../../shared/domain/delivery-error.ts'
import { findBudget, type BudgetKey, type BudgetRow } from '../../../db/budgets.ts'
import { findSentCode } from '../../../db/sent/codes.ts'
import { codeMessage } from '../../../mail/code-message.ts'
import { logAccess } from '../../log/log-access.ts'
import { findCodeRoute } from './code-route.ts'
import { findCode } from './derive-code.ts'

export const DELIVER_CODE = 'deliver-code'
export const NOTE_CODE = 'note-code'

/** Each message has its own line: one that waits for a retry must not delay the code that replaces it. */
export const lineOfCode = (message_id: string) => `code:${message_id}`

export interface DeliverCode extends BudgetKey { message_id: string }

/**
 * The job: sends the code while it is valid and no later one was requested. A permanent failure is logged. Any other
 * failure is thrown, so that the job is retried.
 */
export async function deliverCode(ctx: Ctx, { message_id, ...key }: DeliverCode): Promise<void> {
  const budget = await findBudget(ctx.db, key)
  const row = await findSentCode(ctx.db, key.id)
  if (!budget || row?.message_id !== message_id || row.expires_at <= await ctx.clock.now()) return
  const code = await findCode(ctx, row)
  if (!code) return
  const { clinic_id, locale } = budget
  const { channel: name } = row
  const route = await findCodeRoute(ctx, { name, budget })
  if (typeof route === 'string') return await logFailure(ctx, budget, { channel: name, message_id, reason: route })
  const { channel, patient, to } = route
  const clinic = await ctx.clinics.get(clinic_id)
  const written = codeMessage({ locale: patient.locale ?? locale, clinic, code, short: channel.short })
  try {
    await ctx.channels.send(
      name,
      { id: message_id, clinic_id, to, recipient_id: patient.id, kind: 'code', ...written },
      { job: NOTE_CODE, key: lineOfCode(message_id), payload: { id: budget.id } }
    )
  } catch (error) {
    const { is_final, code: reason } = classifyFailure(error)
    if (!is_final) throw error
    await logFailure(ctx, budget, { channel: name, message_id, reason })
  }
}

/** The job of a channel's report: if a code did not arrive, it logs that for the staff. */
export async function noteCode(
  ctx: Ctx,
  { state, channel, message_id, ...key }: DeliveryReport & BudgetKey
): Promise<void> {
  const budget = state === 'failed' ? await findBudget(ctx.db, key) : null
  if (budget) await logFailure(ctx, budget, { channel, message_id, reason: 'not_delivered' })
}

async function logFailure(
  ctx: Ctx,
  { id: budget_id }: BudgetRow,
  detail: { channel: string, message_id: string, reason: string }
): Promise<void> {
  await ctx.db.transaction(tx =>
    logAccess(ctx, tx, { budget_id, action: 'code_sent', success: false, actor: 'system', detail }))
}
