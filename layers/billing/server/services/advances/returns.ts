import { isId, problem, type Ctx, type Tx } from '@svc/kit'
import {
  findAdvance,
  insertAdvanceReversal,
  listReversals,
  lockDocumentsOf,
  lockMoney,
  type AdvanceKey,
  type StoredAdvance
} from '../../db/advances.ts'

/** The amount in minor units. */
export interface Return { amount: bigint, reason: string, reversal_id?: string, reversed_by: string | null }

/**
 * Locks the documents of the advance's patient and the money of its budget. Read the advance again afterwards. Throws
 * `not_found`.
 */
export async function lockMoneyOf(tx: Tx, key: AdvanceKey): Promise<void> {
  const found = isId(key.id) ? await findAdvance(tx, key) : null
  if (!found) throw problem('not_found')
  await lockDocumentsOf(tx, found, { shared: true })
  await lockMoney(tx, found)
}

/**
 * Whether this advance already has a return with this `reversal_id`. A repeated request without an amount means the
 * balance that was returned. Throws `return_id_used` if another amount was returned.
 */
export async function isRepeated(
  tx: Tx,
  { id: advance_id }: StoredAdvance,
  { reversal_id, amount }: { reversal_id?: string, amount?: bigint }
): Promise<boolean> {
  if (!reversal_id) return false
  const known = (await listReversals(tx, [advance_id])).find(({ id }) => id === reversal_id.toLowerCase())
  if (known && amount !== undefined && known.amount !== amount) throw problem('return_id_used')
  return known !== undefined
}

/** Throws `return_id_used` if another advance has a return with this id. */
export async function insertReturn(
  ctx: Ctx,
  tx: Tx,
  { id: advance_id, clinic_id }: StoredAdvance,
  { reversal_id, ...row }: Return
): Promise<void> {
  const inserted = await insertAdvanceReversal(tx, {
    ...(reversal_id ? { id: reversal_id } : {}),
    advance_id,
    clinic_id,
    reversed_at: await ctx.clock.now(tx),
    ...row
  })
  if (!inserted) throw problem('return_id_used')
}
