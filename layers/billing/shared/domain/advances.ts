import { problem } from '@svc/kit'

export const ADVANCE_STATUSES = ['open', 'applied', 'returned'] as const
/** `open` as long as it has a balance; without one `returned` if all of it was returned, else `applied`. */
export type AdvanceStatus = typeof ADVANCE_STATUSES[number]

/** Minor units. `amount` = `balance` + `returned` + what is applied to invoices. */
export interface AdvanceMoney { amount: bigint, balance: bigint, returned: bigint }

export const advanceStatus = ({ amount, balance, returned }: AdvanceMoney): AdvanceStatus =>
  balance > 0n ? 'open' : returned === amount ? 'returned' : 'applied'

export const appliedOf = ({ amount, balance, returned }: AdvanceMoney): bigint => amount - balance - returned

/** How much of each advance an invoice takes: in the given order, up to what is due. Others are left out. */
export function planApplication<T extends { balance: bigint }>(
  advances: readonly T[],
  due: bigint
): { advance: T, amount: bigint }[] {
  let rest = due
  return advances.flatMap((advance) => {
    const amount = advance.balance < rest ? advance.balance : rest
    rest -= amount
    return amount > 0n ? [{ advance, amount }] : []
  })
}

/**
 * The amount to return: `asked`, by default the balance. Throws `advance_reversed`, `advance_applied` and
 * `over_advance`; the caller adds their fields.
 */
export function returnable(advance: AdvanceMoney, asked?: bigint): bigint {
  const { balance } = advance
  if (balance === 0n) throw problem(appliedOf(advance) === 0n ? 'advance_reversed' : 'advance_applied')
  if (asked !== undefined && asked > balance) throw problem('over_advance')
  return asked ?? balance
}
