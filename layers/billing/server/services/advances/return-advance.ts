import { isId, isProblem, matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { ReturnRequest } from '../../../shared/contract.ts'
import { returnable } from '../../../shared/domain/advances.ts'
import {
  findAdvance,
  findAdvanceLocked,
  insertAdvanceReversal,
  listApplied,
  lockMoney,
  type AdvanceKey,
  type AdvanceRow
} from '../../db/advances.ts'
import { readAmount } from '../read-payment.ts'
import { checkAdvances } from './check-advances.ts'
import { getAdvance, type AdvanceDetail } from './get-advance.ts'
import { recordChange, type Who } from './record-change.ts'

type Input = AdvanceKey & ReturnRequest & { user_id: string, who: Who, if_match?: string }

/**
 * Takes all or part of the balance out of an advance: the money was returned, it bounced, or the entry was a mistake.
 * The advance stays as it was recorded, and the return is a row of its own. Throws `not_found`, `precondition_failed`,
 * `advance_reversed`, `advance_applied`, `over_advance`.
 */
export async function returnAdvance(
  ctx: Ctx,
  { amount, reason, user_id, who, if_match, ...key }: Input
): Promise<AdvanceDetail> {
  await ctx.db.transaction(async (tx) => {
    const advance = await lockAdvance(tx, key)
    if (!matchesEtag(advance.edit, if_match)) throw problem('precondition_failed')
    const asked = amount === undefined ? undefined : readAmount(amount, advance.currency)
    await insertAdvanceReversal(tx, {
      advance_id: advance.id,
      clinic_id: advance.clinic_id,
      amount: await readReturnable(tx, advance, asked),
      reason,
      reversed_at: await ctx.clock.now(tx),
      reversed_by: user_id
    })
    await checkAdvances(ctx, tx, advance)
    await recordChange(ctx, tx, advance, who, 'returned')
  })
  return await getAdvance(ctx, key)
}

async function lockAdvance(tx: Tx, key: AdvanceKey): Promise<AdvanceRow> {
  const found = isId(key.id) ? await findAdvance(tx, key) : null
  if (!found) throw problem('not_found')
  await lockMoney(tx, found)
  return (await findAdvanceLocked(tx, key))!
}

/** The problem names the balance, or the invoices that have the amount. */
async function readReturnable(tx: Tx, advance: AdvanceRow, asked: bigint | undefined): Promise<bigint> {
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
