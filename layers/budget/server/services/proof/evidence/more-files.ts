import type { Ctx } from '@svc/kit'
import type { MessagesFile, WithdrawalRecord } from '@svc/evidence-page/types.ts'
import type { BudgetRow } from '../../../db/budgets.ts'
import { listThread } from '../../../db/messages.ts'
import { isMessageSealed } from '../../log/message-seal.ts'

/** For a person whose data is erased: free texts are left out. */
export interface Wording { without_texts: boolean }

/** Null for an acceptance that was not withdrawn. */
export async function withdrawalRecord(
  ctx: Ctx,
  budget: BudgetRow,
  { without_texts }: Wording
): Promise<WithdrawalRecord | null> {
  const { id, number, version, withdrawn_at, withdrawn_by, withdrawal_requested_by, withdrawal_reason } = budget
  if (!withdrawn_at) return null
  const names = await ctx.users.names(withdrawn_by ? [withdrawn_by] : [])
  return {
    budget_id: id,
    number,
    version,
    withdrawn_at: withdrawn_at.toISOString(),
    requested_by: withdrawal_requested_by,
    withdrawn_by: withdrawn_by && (names.get(withdrawn_by) ?? null),
    reason: without_texts ? null : withdrawal_reason
  }
}

/** The messages between patient and clinic, over all versions; null if there are none. */
export async function messagesFile(
  ctx: Ctx,
  budget: BudgetRow,
  { without_texts }: Wording
): Promise<MessagesFile | null> {
  const rows = await listThread(ctx.db, budget)
  if (rows.length === 0) return null
  return {
    number: budget.number,
    whole: rows.every(row => isMessageSealed(ctx.secrets, row)),
    messages: rows.map(({ id, from, text, at }) => ({
      id,
      from,
      text: without_texts ? null : text,
      at: at.toISOString()
    }))
  }
}
