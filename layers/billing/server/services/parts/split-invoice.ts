import { problem, type Ctx } from '@svc/kit'
import type { SplitRequest } from '../../../shared/contract.ts'
import { assertAllowed } from '../../../shared/domain/invoice-state.ts'
import { splitLine } from '../../../shared/domain/split.ts'
import { isErased, listLines, type LineRow } from '../../db/invoices.ts'
import { changeInvoice, type ChangeKey } from '../change-invoice.ts'
import { getInvoice, type Detail } from '../get-invoice.ts'
import { invalid } from '../read-payment.ts'
import { nameBudgetItems } from './budget-items.ts'
import { moveLines, type Leaving } from './move-lines.ts'

/**
 * Moves lines of a draft, or parts of their quantities, into a new draft of the same budget, and returns that one.
 * Throws `not_found`, `precondition_failed`, `wrong_state`, `patient_erased`, `validation_failed`, `over_split`.
 */
export async function splitInvoice(ctx: Ctx, { items, ...key }: ChangeKey & SplitRequest): Promise<Detail> {
  let id = ''
  await changeInvoice(ctx, key, async (tx, { invoice, paid }) => {
    assertAllowed({ ...invoice, paid }, 'split')
    if (isErased(invoice)) throw problem('patient_erased')
    const lines = await nameBudgetItems(ctx, tx, invoice, await listLines(tx, invoice.id))
    id = await moveLines(tx, [{ draft: invoice, lines, moves: toMoves(lines, items) }])
  })
  return await getInvoice(ctx, { clinic_id: key.clinic_id, id })
}

function toMoves(lines: LineRow[], items: SplitRequest['items']): Leaving['moves'] {
  const moves = items.map((item, at) => toMove(lines, item, at))
  if (moves.length === lines.length && moves.every(({ split }) => split.kept === null))
    throw invalid('/items', 'Leave at least a part of one line in this draft.')
  return moves.sort((one, other) => one.line.position - other.line.position)
}

function toMove(lines: LineRow[], { item_id, quantity }: SplitRequest['items'][number], at: number) {
  const line = lines.find(({ id }) => id === item_id)
  if (!line) throw invalid(`/items/${at}/item_id`, 'This draft has no such line.')
  const split = splitLine(line, quantity)
  if (!split) throw problem('over_split', {
    detail: `The quantity of this line is ${line.quantity}. Move that much at most.`,
    quantity: line.quantity
  })
  return { line, split }
}
