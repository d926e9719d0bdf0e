import { matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import type { ChangeRequest } from '../../../shared/contract.ts'
import { updateBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { budgetIds, firstVersion } from '../../db/external-ids.ts'
import { insertItems, listItems, removeItems, type ItemRow } from '../../db/items.ts'
import { assertAllowed } from '../../../shared/domain/budget-state.ts'
import { discountOf } from '../../../shared/domain/discount.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { assertPriceMode } from './assert-price-mode.ts'
import { assertUnsent } from '../log/assert-unsent.ts'
import { priceDraft, type DraftTotals } from './price-draft.ts'
import { assertLineLimit, readDraft, type ReadDraft } from './read-draft.ts'

type Input = BudgetKey & { if_match: string | undefined, change: ChangeRequest }

/**
 * Changes a draft. State and `If-Match` are checked twice: first for a quick answer, and then under the lock. Throws
 * `not_found`, `wrong_state`, `external_id_taken`, `precondition_failed`, `price_mode_changed`, `content_tampered`, and
 * the problems of reading and pricing a draft.
 */
export async function patchBudget(ctx: Ctx, input: Input): Promise<BudgetRow> {
  // Each further iteration means that another change succeeded.
  for (;;) {
    const changed = await tryPatch(ctx, input)
    if (changed) return changed
  }
}

/** Null if someone changed the draft between the read and the lock: its lines may differ, so it must be read again. */
async function tryPatch(ctx: Ctx, { if_match, change, ...key }: Input): Promise<BudgetRow | null> {
  const found = await getStaffBudget(ctx.db, key)
  assertEditable(found, if_match)
  const { prices_include_tax } = found
  assertPriceMode(prices_include_tax, change)
  const stored = (await listItems(ctx.db, found.id)).filter(isReplacedBy(change))
  const clinic = await ctx.clinics.get(key.clinic_id)
  const draft = await readDraft(ctx, clinic, {
    input: change,
    stored,
    stored_choices: found.choices,
    stored_clause_ids: found.clause_ids,
    prices_include_tax
  })
  return await ctx.db.transaction(async (tx) => {
    const { budget } = await lockStaffBudget(tx, key)
    assertEditable(budget, if_match)
    if (budget.edit !== found.edit) return null
    await assertUnsent(ctx, tx, budget)
    const { external_ids } = change
    if (external_ids)
      await budgetIds(ctx).save(tx, { clinic_id: key.clinic_id, id: await firstVersion(tx, budget), external_ids })
    const totals = await reprice(tx, budget, draft)
    return await updateBudget(tx, budget.id, { ...draft.columns, ...totals, edit: budget.edit + 1 })
  })
}

function assertEditable({ status, edit }: BudgetRow, if_match: string | undefined): void {
  assertAllowed(status, 'edit')
  if (!matchesEtag(edit, if_match)) throw problem('precondition_failed')
}

/** `items` replaces the lines that are part of every selection, `choices` those of the options. */
const isReplacedBy = ({ items, choices }: ChangeRequest) => ({ option_id }: Pick<ItemRow, 'option_id'>): boolean =>
  option_id === null ? items !== undefined : choices !== undefined

/** Omitted fields stay. The resulting lines, choices and global discount are priced again. */
async function reprice(
  tx: Tx,
  row: BudgetRow,
  draft: ReadDraft
): Promise<DraftTotals & Pick<BudgetRow, 'choices'> | null> {
  if (!draft.items && !draft.option_items && draft.global_discount === undefined) return null
  const { global_discount = discountOf(row), choices = row.choices } = draft
  const stored = (await listItems(tx, row.id)).map(item => ({ ...item, discount: discountOf(item) }))
  const lines = [
    ...draft.items ?? stored.filter(({ option_id }) => option_id === null),
    ...draft.option_items ?? stored.filter(({ option_id }) => option_id !== null)
  ]
  if (draft.items || draft.option_items) assertLineLimit(lines, draft.option_items ? '/choices' : '/items')
  const { items, totals } = priceDraft(lines, { global_discount, prices_include_tax: row.prices_include_tax, choices })
  await removeItems(tx, row.id)
  await insertItems(tx, row, items)
  return { ...totals, choices }
}
