import { isProblem, problem, type Ctx, type Erasure, type Held, type Person } from '@svc/kit'
import { removeBudget, type BudgetRow } from '../../db/budgets.ts'
import { removeIds } from '../../db/external-ids.ts'
import { removeMessages } from '../../db/messages.ts'
import { messageIdsOf, lockOfPatient } from '../../db/erasure.ts'
import { emptyVersion, type EmptiedVersion, type EraseMode } from './empty-version.ts'
import { findTemplatesNaming } from './find-naming.ts'
import { assertUnsent } from '../log/assert-unsent.ts'
import { noteRemoved } from '../log/number-seal.ts'

const REASON = 'What was agreed must stay provable: the clinic and the patient may both need it.'

/**
 * Erases a patient's data: drafts are deleted, open versions are cancelled, and every other version is emptied. An
 * acceptance stays provable by two files: the signed PDF, and the evidence made from the rows before they are emptied;
 * ADR 10. Runs in the transaction of the whole erasure. Throws `erasure_blocked`, `fingerprint_mismatch` or
 * `content_tampered`. Safe to repeat.
 */
export async function erasePatient(ctx: Ctx, person: Person, how: EraseMode): Promise<Erasure> {
  const budgets = await lockOfPatient(ctx.db, person)
  budgets.forEach(assertContentStored)
  const ids = await messageIdsOf(ctx.db, budgets.map(({ id }) => id))

  const ids_removed = await removeIds(ctx.db, budgets.map(({ id }) => id))
  const emptied: EmptiedVersion[] = []
  const drafts = budgets.filter(({ status }) => status === 'draft')
  for (const draft of drafts.toReversed()) {
    await named(draft, () => assertUnsent(ctx, ctx.db, draft))
    await removeBudget(ctx.db, draft.id)
    await noteRemoved(ctx, ctx.db, { draft, removed_by: null })
  }
  for (const budget of budgets.filter(({ status }) => status !== 'draft'))
    emptied.push(await named(budget, () => emptyVersion(ctx, budget, how)))

  const messages = await removeMessages(ctx.db, budgets.map(({ id }) => id))
  const sum = (member: 'cancelled' | 'versions' | 'texts' | 'links' | 'sessions') =>
    emptied.reduce((total, one) => total + one[member], 0)
  return {
    erased: [
      { what: 'budget drafts, deleted', count: drafts.length },
      { what: 'open budgets, cancelled', count: sum('cancelled') },
      { what: 'budgets, emptied of names and notes', count: sum('versions') },
      { what: 'texts in access logs', count: sum('texts') },
      { what: 'messages', count: messages },
      { what: 'budget ids of other systems', count: ids_removed },
      { what: 'links', count: sum('links') },
      { what: 'sessions of links', count: sum('sessions') }
    ],
    held: emptied.flatMap(({ budget, files }) =>
      files.map((file): Held => ({ ...file, object: nameOf(budget), reason: REASON }))
    ),
    letters: { ids },
    follow_up: (await findTemplatesNaming(ctx, person)).map(({ name }) =>
      ({ what: 'budget template with this name in its texts', object: name }))
  }
}

const nameOf = ({ number, version }: BudgetRow) => `${number} v${version}`

/** A document that is being sealed now would contain the patient's name after the erasure. */
function assertContentStored(budget: BudgetRow): void {
  if (budget.signed_pdf_status !== 'pending') return
  throw problem('erasure_blocked', {
    detail: `The signed copy of ${nameOf(budget)} is still being prepared: nothing was erased. Try again in a minute.`,
    retry_after: 10
  })
}

/** A broken proof is not destroyed; the error names the budget for the operator. */
async function named<T>(budget: BudgetRow, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isProblem(error)) throw error
    throw problem(error.code, {
      ...error.fields,
      detail: `${nameOf(budget)}: ${error.fields.detail ?? 'its proof is not intact, see svc budgets verify.'}`
    })
  }
}
