import { problem, type Client, type Ctx } from '@svc/kit'
import { lockVersions, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { assertAllowed, statusAt } from '../../../shared/domain/budget-state.ts'
import { copyBudget } from './copy-budget.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'

/**
 * The next version as a draft. The old one is unchanged until the new one is sent. Its log names the new one, so that a
 * deletion by SQL is detected.
 */
export async function reviseBudget(
  ctx: Ctx,
  { clinic_id, id, user_id, client }: BudgetKey & { user_id: string, client?: Client }
): Promise<BudgetRow> {
  return await ctx.db.transaction(async (tx) => {
    const found = await getStaffBudget(tx, { clinic_id, id })
    const versions = await lockVersions(tx, found)
    const source = versions.find(row => row.id === found.id)
    if (!source) throw problem('not_found')
    const now = await ctx.clock.now(tx)
    assertAllowed(statusAt(source, now), 'revise')
    assertOnlyDraft(versions)
    const version = Math.max(...versions.map(row => row.version)) + 1
    const draft = await copyBudget(ctx, tx, source, {
      number: source.number,
      version,
      revises_id: source.id,
      created_by: user_id
    })
    const detail = { revision_id: draft.id, version }
    await logAccess(
      ctx,
      tx,
      { budget_id: source.id, action: 'revised', actor: 'staff', user_id, client, detail },
      { ...source, now }
    )
    return draft
  })
}

/** Only one open draft per number, and none after an accepted version, so that it is clear what is sent next. */
function assertOnlyDraft(versions: BudgetRow[]): void {
  const draft = versions.find(row => row.status === 'draft')
  if (draft)
    throw problem('wrong_state', {
      detail: `Version ${draft.version} is still a draft. Edit, send or delete it first.`
    })
  const accepted = versions.find(row => row.status === 'accepted')
  if (accepted)
    throw problem('wrong_state', {
      detail: `Version ${accepted.version} was accepted, which is final. Duplicate it to make a new budget.`
    })
}
