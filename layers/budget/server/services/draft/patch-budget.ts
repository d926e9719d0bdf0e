import { matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import type { ChangeRequest } from '../../../shared/contract.ts'
import { updateBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { insertItems, listItems, removeItems, updateItemPrices } from '../../db/items.ts'
import { mustAllow } from '../../../shared/domain/budget-state.ts'
import { discountOf } from '../../../shared/domain/discount.ts'
import { getStaffBudget } from './get-staff-budget.ts'
import { lockStaffBudget } from './lock-staff-budget.ts'
import { mustBeTypedAs } from './must-be-typed-as.ts'
import { mustBeUnsent } from './must-be-unsent.ts'
import { priceDraft, type BudgetTotals } from './price-draft.ts'
import { readDraft, type ReadDraft } from './read-draft.ts'

type Input = BudgetKey & { if_match: string | undefined, change: ChangeRequest }

/**
 * Changes a draft. State and `If-Match` are looked at twice: first to answer, then under the lock to be sure. Throws
 * `not_found`, `wrong_state`, `precondition_failed`, `price_mode_changed`, `content_tampered`, and what reading and
 * pricing a draft throw.
 */
export async function patchBudget(ctx: Ctx, { if_match, change, ...key }: Input): Promise<BudgetRow> {
  const found = await getStaffBudget(ctx.db, key)
  mustBeEditable(found, if_match)
  const { prices_include_tax } = found
  mustBeTypedAs(prices_include_tax, change)
  const stored = change.items ? await listItems(ctx.db, found.id) : []
  const clinic = await ctx.clinics.get(key.clinic_id)
  const draft = await readDraft(ctx, clinic, { input: change, stored, prices_include_tax })
  return await ctx.db.transaction(async (tx) => {
    const { budget } = await lockStaffBudget(tx, key)
    mustBeEditable(budget, if_match)
    await mustBeUnsent(ctx, tx, budget)
    const totals = await reprice(tx, budget, draft)
    return await updateBudget(tx, budget.id, { ...draft.columns, ...totals, edit: budget.edit + 1 })
  })
}

function mustBeEditable({ status, edit }: BudgetRow, if_match: string | undefined): void {
  mustAllow(status, 'edit')
  if (!matchesEtag(edit, if_match)) throw problem('precondition_failed')
}

/** The lines of a change replace all; a new global discount alone moves the prices of those that are there. */
async function reprice(tx: Tx, row: BudgetRow, draft: ReadDraft): Promise<BudgetTotals | null> {
  const { items: lines, global_discount = discountOf(row) } = draft
  const { prices_include_tax } = row
  if (lines) {
    const { items, totals } = priceDraft(lines, { global_discount, prices_include_tax })
    await removeItems(tx, row.id)
    await insertItems(tx, row, items)
    return totals
  }
  if (draft.global_discount === undefined) return null
  const stored = await listItems(tx, row.id)
  const priced = stored.map(item => ({ ...item, discount: discountOf(item) }))
  const { items, totals } = priceDraft(priced, { global_discount, prices_include_tax })
  for (const item of items) await updateItemPrices(tx, item.id, item)
  return totals
}
