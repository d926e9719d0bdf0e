import { isId, problem, type Ctx, type Tx } from '@svc/kit'
import { splitLine } from '../../../shared/domain/split.ts'
import { lockDocumentsOf, lockMoney } from '../../db/advances.ts'
import { isErased, listDraftsLocked, listLines, type BudgetKey } from '../../db/invoices.ts'
import { getInvoice, type Detail } from '../get-invoice.ts'
import { nameBudgetItems } from './budget-items.ts'
import { moveLines, type Leaving } from './move-lines.ts'

/**
 * Drafts exactly what is done of an accepted budget: the done lines of its drafts move into a new draft. If all of them
 * are in drafts without other lines already, it is the newest of these, so a repeated call drafts nothing twice. Throws
 * `not_found`, `nothing_done`, `patient_erased`.
 */
export async function invoiceDone(ctx: Ctx, key: BudgetKey): Promise<Detail> {
  const { clinic_id, budget_id } = key
  const read = (tx?: Tx) => ctx.use('budget').getBudget(clinic_id, budget_id, tx)
  const known = isId(budget_id) ? await read() : null
  if (!known) throw problem('not_found')
  const id = await ctx.db.transaction(async (tx) => {
    await lockDocumentsOf(tx, { clinic_id, patient_id: known.patient.id }, { shared: true })
    await lockMoney(tx, { clinic_id, budget_number: known.number })
    const done = new Set((await read(tx))?.items.filter(({ done_on }) => done_on !== null).map(item => item.id))
    return await draftDone(tx, await findDone(ctx, tx, key, done))
  })
  return await getInvoice(ctx, { clinic_id, id })
}

/** The drafts that have done lines. */
async function findDone(ctx: Ctx, tx: Tx, key: BudgetKey, done: Set<string>): Promise<Leaving[]> {
  const found: Leaving[] = []
  for (const draft of await listDraftsLocked(tx, key)) {
    const lines = await nameBudgetItems(ctx, tx, draft, await listLines(tx, draft.id))
    const moves = lines.filter(({ budget_item_id }) => budget_item_id !== null && done.has(budget_item_id))
      .map(line => ({ line, split: splitLine(line)! }))
    if (moves.length > 0) found.push({ draft, lines, moves })
  }
  return found
}

async function draftDone(tx: Tx, found: Leaving[]): Promise<string> {
  if (found.some(({ draft }) => isErased(draft))) throw problem('patient_erased')
  const [first, ...others] = found.filter(({ lines, moves }) => moves.length < lines.length)
  if (first) return await moveLines(tx, [first, ...others])
  const newest = found.at(-1)
  if (!newest) throw problem('nothing_done')
  return newest.draft.id
}
