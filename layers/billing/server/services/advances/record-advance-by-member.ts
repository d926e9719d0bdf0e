import { problem, type Ctx } from '@svc/kit'
import type { AdvanceRequest } from '../../../shared/contract.ts'
import { isErased } from '../../db/invoices.ts'
import { invalid, readAmount, readPaidAt } from '../read-payment.ts'
import { getAdvance, type AdvanceDetail } from './get-advance.ts'
import { recordAdvance } from './record-advance.ts'
import { recordChange, type Who } from './record-change.ts'

interface Input { clinic_id: string, user_id: string, who?: Who, advance: AdvanceRequest }

/**
 * Records an advance for a member of staff. It has more checks than `recordAdvance`, which modules call. If an advance
 * with this `advance_id` exists for the same budget, amount and method, nothing is recorded again. Throws
 * `validation_failed`, `wrong_state`, `patient_erased`, `advance_id_used`.
 */
export async function recordAdvanceByMember(
  ctx: Ctx,
  { clinic_id, user_id, who, advance }: Input
): Promise<AdvanceDetail> {
  const { budget_id, amount, method, paid_at, reference, note, advance_id } = advance
  const budget = await ctx.use('budget').getBudget(clinic_id, budget_id)
  if (!budget) throw invalid('/budget_id', 'There is no such budget.')
  const { currency } = budget
  const id = await ctx.db.transaction(async (tx) => {
    const recorded = await recordAdvance(ctx, tx, {
      clinic_id,
      budget_id,
      amount: readAmount(amount, currency),
      currency,
      method,
      paid_at: await readPaidAt(ctx, tx, clinic_id, paid_at),
      reference,
      note,
      advance_id,
      created_by: user_id
    })
    // Checked with the money locked, and only for members: a module records money that was already received.
    if (recorded.is_new && isErased(recorded.advance)) throw problem('patient_erased', {
      detail: 'The patient\'s data was erased, so no advance can be recorded for this budget.'
    })
    if (who && recorded.is_new) await recordChange(ctx, tx, recorded.advance, who, 'amount')
    return recorded.advance.id
  })
  return await getAdvance(ctx, { clinic_id, id })
}
