import { problem, type Ctx, type Tx } from '@svc/kit'
import type { ChangeRequest } from '../../shared/contract.ts'
import { findBudget, lockBudget, updateBudget, type BudgetKey, type BudgetRow } from '../db/budgets.ts'
import { insertItems, listItems, removeItems, updateItemPrices } from '../db/items.ts'
import { mustAllow } from '../domain/budget-state.ts'
import { discountOf } from '../domain/discount.ts'
import { matches } from '../domain/etag.ts'
import { isId } from '../domain/id.ts'
import { priceDraft, type BudgetTotals } from './price-draft.ts'
import { readDraft, type ReadDraft } from './read-draft.ts'

type Input = BudgetKey & { if_match: string | undefined, change: ChangeRequest }

/** Changes a draft. State and `If-Match` are looked at twice: first to answer, then under the lock to be sure. */
export async function patchBudget(ctx: Ctx, { clinic_id, id, if_match, change }: Input): Promise<BudgetRow> {
  mustBeEditable(isId(id) ? await findBudget(ctx.db, { clinic_id, id }) : null, if_match)
  const draft = await readDraft(ctx, await ctx.clinics.get(clinic_id), change)
  return await ctx.db.transaction(async (tx) => {
    const row = mustBeEditable(await lockBudget(tx, { clinic_id, id }), if_match)
    const totals = await reprice(tx, row, draft)
    return await updateBudget(tx, id, { ...draft.columns, ...totals, edit: row.edit + 1 })
  })
}

function mustBeEditable(row: BudgetRow | null, if_match: string | undefined): BudgetRow {
  if (!row) throw problem('not_found')
  mustAllow(row.status, 'edit')
  if (!matches(row.edit, if_match)) throw problem('precondition_failed')
  return row
}

/** New lines replace all; a new global discount alone moves the prices of those that are there. */
async function reprice(tx: Tx, row: BudgetRow, draft: ReadDraft): Promise<BudgetTotals | null> {
  const { items: lines, global_discount: discount = discountOf(row) } = draft
  if (lines) {
    const { items, totals } = priceDraft(lines, discount)
    await removeItems(tx, row.id)
    await insertItems(tx, row, items)
    return totals
  }
  if (draft.global_discount === undefined) return null
  const { items, totals } = priceDraft(await listItems(tx, row.id), discount)
  for (const item of items) await updateItemPrices(tx, item.id, item)
  return totals
}
