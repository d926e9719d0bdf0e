import { isProblem, matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { ReturnRequest } from '../../../shared/contract.ts'
import { returnable } from '../../../shared/domain/advances.ts'
import { findAdvanceLocked, listApplied, type AdvanceKey, type StoredAdvance } from '../../db/advances.ts'
import { readAmount } from '../read-payment.ts'
import { checkAdvances } from './check-advances.ts'
import { getAdvance, type AdvanceDetail } from './get-advance.ts'
import { recordChange, type Who } from './record-change.ts'
import { insertReturn, isRepeated, lockMoneyOf } from './returns.ts'

type Input = AdvanceKey & ReturnRequest & { user_id: string, who: Who, if_match?: string }

/**
 * Records a return for a member of staff. Unlike `returnAdvance`, which modules call, it takes no money out of an
 * invoice. It takes all or part of the balance out of an advance: the money was returned, it bounced, or the entry was
 * a mistake. The advance's row does not change, and the return has its own row. If this advance already has a return
 * with this `reversal_id` and the same amount, nothing is recorded again. Throws `not_found`, `precondition_failed`,
 * `advance_reversed`, `advance_applied`, `over_advance`, `return_id_used`.
 */
export async function returnAdvanceByMember(
  ctx: Ctx,
  { amount, reason, reversal_id, user_id, who, if_match, ...key }: Input
): Promise<AdvanceDetail> {
  await ctx.db.transaction(async (tx) => {
    await lockMoneyOf(tx, key)
    const advance = (await findAdvanceLocked(tx, key))!
    const asked = amount === undefined ? undefined : readAmount(amount, advance.currency)
    if (await isRepeated(tx, advance, { reversal_id, amount: asked })) return
    if (!matchesEtag(advance.edit, if_match)) throw problem('precondition_failed')
    const returned = await readReturnable(tx, advance, asked)
    await insertReturn(ctx, tx, advance, { amount: returned, reason, reversal_id, reversed_by: user_id })
    await checkAdvances(ctx, tx, advance)
    await recordChange(ctx, tx, advance, who, 'returned')
  })
  return await getAdvance(ctx, key)
}

/** The problem contains the balance, or the invoices that use the amount. */
async function readReturnable(tx: Tx, advance: StoredAdvance, asked: bigint | undefined): Promise<bigint> {
  try {
    return returnable(advance, asked)
  } catch (error) {
    if (!isProblem(error)) throw error
    if (error.code === 'over_advance') {
      const balance = formatMoney(advance.balance, advance.currency)
      throw problem('over_advance', {
        detail: `The balance is ${balance} ${advance.currency}. Return that amount at most.`,
        balance
      })
    }
    if (error.code !== 'advance_applied') throw error
    const payments = (await listApplied(tx, [advance.id])).filter(({ reversed_at }) => !reversed_at)
    throw problem('advance_applied', { invoices: [...new Set(payments.map(({ invoice_number }) => invoice_number))] })
  }
}
