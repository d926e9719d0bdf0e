import { isId, problem, type Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { PricedBudget } from '@svc/kit/modules/budget'
import type { BudgetBilling } from '../../../shared/contract.ts'
import { placeOf, sumBilled, type Place } from '../../../shared/domain/billed.ts'
import { listInvoicesOfBudget, listLinesOfBudget, type BudgetKey } from '../../db/invoices.ts'
import { budgetItemOf } from './budget-items.ts'

interface BilledLine { item_id: string | null, place: Place, price: bigint }

/** Throws `not_found`. */
export async function showBilling(ctx: Ctx, { clinic_id, budget_id }: BudgetKey): Promise<BudgetBilling> {
  const budget = isId(budget_id) ? await ctx.use('budget').getBudget(clinic_id, budget_id) : null
  if (!budget) throw problem('not_found')
  if (budget.status !== 'accepted') return toBilling({ ...budget, total: 0n, items: [] }, { lines: [], credited: 0n })
  const [rows, invoices] = await Promise.all([
    listLinesOfBudget(ctx.db, { clinic_id, budget_id }),
    listInvoicesOfBudget(ctx.db, { clinic_id, budget_id })
  ])
  const lines = rows.map(({ line, status, number }) =>
    ({ item_id: budgetItemOf(line, budget.items), place: placeOf({ status, number }), price: line.price }))
  return toBilling(budget, { lines, credited: invoices.reduce((sum, { credited }) => sum + credited, 0n) })
}

function toBilling(
  { id: budget_id, currency, total, items }: PricedBudget,
  { lines, credited }: { lines: BilledLine[], credited: bigint }
): BudgetBilling {
  const money = (amount: bigint) => formatMoney(amount, currency)
  const show = (accepted: bigint, of: BilledLine[]) => {
    const { invoiced, open, cancelled } = sumBilled(accepted, of)
    return { invoiced: money(invoiced), open: money(open), cancelled: money(cancelled) }
  }
  const done = new Set(items.filter(({ done_on }) => done_on !== null).map(({ id }) => id))
  const drafted = lines.filter(({ item_id, place }) => place === 'open' && item_id !== null && done.has(item_id))
  return {
    budget_id,
    currency,
    total: money(total),
    ...show(total, lines),
    credited: money(credited),
    done: {
      items: new Set(drafted.map(({ item_id }) => item_id)).size,
      amount: money(drafted.reduce((sum, { price }) => sum + price, 0n))
    },
    items: items.map(({ id, price, done_on }) => ({
      budget_item_id: id,
      price: money(price),
      ...show(price, lines.filter(({ item_id }) => item_id === id)),
      done_on
    }))
  }
}
