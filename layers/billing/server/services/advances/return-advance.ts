import { isId, isProblem, matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { ReturnRequest } from '../../../shared/contract.ts'
import { returnable } from '../../../shared/domain/advances.ts'
import {
  findAdvance,
  findAdvanceLocked,
  insertAdvanceReversal,
  listApplied,
  listReversals,
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
 * The advance stays as it was recorded, and the return is a row of its own. With a `reversal_id` that this advance has
 * already, for the same amount, nothing is recorded a second time. Throws `not_found`, `precondition_failed`,
 * `advance_reversed`, `advance_applied`, `over_advance`, `return_id_used`.
 */
export async function returnAdvance(
  ctx: Ctx,
  { amount, reason, reversal_id, user_id, who, if_match, ...key }: Input
): Promise<AdvanceDetail> {
  await ctx.db.transaction(async (tx) => {
    const advance = await lockAdvance(tx, key)
    const asked = amount === undefined ? undefined : readAmount(amount, advance.currency)
    if (await isRepeated(tx, advance, { reversal_id, asked })) return
    if (!matchesEtag(advance.edit, if_match)) throw problem('precondition_failed')
    const row = {
      ...(reversal_id ? { id: reversal_id } : {}),
      advance_id: advance.id,
      clinic_id: advance.clinic_id,
      amount: await readReturnable(tx, advance, asked),
      reason,
      reversed_at: await ctx.clock.now(tx),
      reversed_by: user_id
    }
    if (!(await insertAdvanceReversal(tx, row))) throw problem('return_id_used')
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

/** A repeated request without an amount asks for the balance that was returned. */
async function isRepeated(
  tx: Tx,
  { id: advance_id }: AdvanceRow,
  { reversal_id, asked }: { reversal_id?: string, asked?: bigint }
): Promise<boolean> {
  if (!reversal_id) return false
  const known = (await listReversals(tx, [advance_id])).find(({ id }) => id === reversal_id)
  if (known && asked !== undefined && known.amount !== asked) throw problem('return_id_used')
  return known !== undefined
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
