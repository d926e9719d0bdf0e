import { problem, type Client, type Ctx, type Tx } from '@svc/kit'
import type { DoneRequest } from '../../../shared/contract.ts'
import { dayIn } from '../../../shared/domain/validity.ts'
import type { BudgetKey, BudgetRow } from '../../db/budgets.ts'
import { listDone, removeDone, saveDone } from '../../db/sent/items-done.ts'
import { listItems } from '../../db/items.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { agreedItems } from '../budget/offer.ts'
import { logAccess } from '../log/log-access.ts'

type Input = BudgetKey & DoneRequest & { user_id: string, client: Client }
/** Lines with the same day; null if they are not done after all. */
interface Change { done_on: string | null, item_ids: string[] }

/**
 * Records when accepted lines were done, or that they were not. It isn't part of what was signed: content, seals and
 * ETag stay. The log has a row for each day. Throws `not_found`, `patient_erased`, `wrong_state`, `validation_failed`.
 */
export async function recordDone(ctx: Ctx, { items, user_id, client, ...key }: Input): Promise<BudgetRow> {
  return await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockStaffBudget(tx, key)
    if (budget.status !== 'accepted' || budget.withdrawn_at)
      throw problem('wrong_state', { detail: 'Only lines of an accepted budget that was not withdrawn can be done.' })
    await assertValid(tx, { budget, now, items })
    for (const { done_on, item_ids } of await findChanges(tx, budget, items)) {
      await save(tx, budget, { done_on, item_ids })
      const detail = { done_on, items: item_ids.length, item_ids: item_ids.join(' ') }
      await logAccess(ctx, tx, { budget_id: budget.id, action: 'treatments_done', actor: 'staff', user_id, client, detail })
    }
    return budget
  })
}

async function assertValid(
  tx: Tx,
  { budget, now, items }: { budget: BudgetRow, now: Date, items: DoneRequest['items'] }
): Promise<void> {
  const accepted = new Set(agreedItems(budget, await listItems(tx, budget.id)).map(({ id }) => id))
  const today = dayIn(budget.time_zone, now)
  const errors = items.flatMap(({ item_id, done_on }, at) => [
    ...accepted.has(item_id) ? [] : [{ pointer: `/items/${at}/item_id`, message: 'The patient accepted no such line.' }],
    ...done_on && done_on > today ? [{ pointer: `/items/${at}/done_on`, message: 'Must not be after today.' }] : []
  ])
  if (errors.length > 0) throw problem('validation_failed', { errors })
}

/** Without the lines that have this day already. */
async function findChanges(tx: Tx, { id }: BudgetRow, items: DoneRequest['items']): Promise<Change[]> {
  const known = await listDone(tx, id)
  const changed = items.filter(({ item_id, done_on }) => (known.get(item_id) ?? null) !== done_on)
  const days = [...new Set(changed.map(({ done_on }) => done_on))]
  return days.map(day =>
    ({ done_on: day, item_ids: changed.filter(({ done_on }) => done_on === day).map(({ item_id }) => item_id) }))
}

async function save(tx: Tx, { id: budget_id, clinic_id }: BudgetRow, { done_on, item_ids }: Change): Promise<void> {
  if (done_on === null) return await removeDone(tx, item_ids)
  await saveDone(tx, item_ids.map(item_id => ({ item_id, budget_id, clinic_id, done_on })))
}
