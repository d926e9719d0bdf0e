import type { Ctx, Tx } from '@svc/kit'
import { updateLine, type InvoiceRow, type LineRow } from '../../db/invoices.ts'

type Line = Pick<LineRow, 'position' | 'budget_item_id'>

/** The line of the budget. Versions without parts stored none, and drafted the lines in the budget's order. */
export const budgetItemOf = ({ position, budget_item_id }: Line, items: { id: string }[]): string | null =>
  budget_item_id ?? items[position]?.id ?? null

/** Stores the line of the budget in each line of a draft, before lines leave it and the order changes. */
export async function nameBudgetItems(
  ctx: Ctx,
  tx: Tx,
  { clinic_id, budget_id }: InvoiceRow,
  lines: LineRow[]
): Promise<LineRow[]> {
  if (lines.every(({ budget_item_id }) => budget_item_id !== null)) return lines
  const { items = [] } = await ctx.use('budget').getBudget(clinic_id, budget_id, tx) ?? {}
  const named = lines.map(line => ({ ...line, budget_item_id: budgetItemOf(line, items) }))
  for (const { id, budget_item_id } of named) await updateLine(tx, id, { budget_item_id })
  return named
}
