import type { Tx } from '@svc/kit'
import { sumParts } from '../../../shared/domain/credit.ts'
import type { Split } from '../../../shared/domain/split.ts'
import {
  insertInvoice,
  insertLines,
  ofSameBudget,
  updateInvoice,
  updateLine,
  type InvoiceRow,
  type LineRow,
  type NewLine
} from '../../db/invoices.ts'

/** A locked draft with all its lines, and those that leave it, in order. At least a part of one stays. */
export interface Leaving { draft: InvoiceRow, lines: LineRow[], moves: { line: LineRow, split: Split }[] }

/**
 * Moves lines of drafts of one budget into a new draft, and returns its id. The sum of all drafts stays the same. Call
 * it with the money locked.
 */
export async function moveLines(tx: Tx, leaving: [Leaving, ...Leaving[]]): Promise<string> {
  const [{ draft: first }] = leaving
  const moved = sumParts(leaving.flatMap(({ moves }) => moves.map(({ split }) => split.moved)))
  const id = await insertInvoice(tx, {
    ...ofSameBudget(first),
    split_from_id: first.id,
    total: moved.price,
    tax_total: moved.tax
  }, [])
  let position = 0
  for (const { draft, lines, moves } of leaving) {
    for (const move of moves) await moveLine(tx, move, { invoice_id: id!, position: position++ })
    await closeGaps(tx, lines.filter(line => !moves.some(move => move.line === line && move.split.kept === null)))
    const { price, tax } = sumParts(moves.map(({ split }) => split.moved))
    await updateInvoice(tx, draft.id, { total: draft.total - price, tax_total: draft.tax_total - tax })
  }
  return id!
}

/** A whole line keeps its id. */
async function moveLine(
  tx: Tx,
  { line, split: { moved, kept } }: Leaving['moves'][number],
  to: { invoice_id: string, position: number }
): Promise<void> {
  if (kept === null) return await updateLine(tx, line.id, to)
  const { clinic_id, budget_item_id, treatment_id, code, name, vat } = line
  const part: NewLine = { clinic_id, budget_item_id, treatment_id, code, name, vat, ...moved, position: to.position }
  await insertLines(tx, to.invoice_id, [part])
  await updateLine(tx, line.id, kept)
}

/** From the first one on, so that no two lines have the same position in between. */
async function closeGaps(tx: Tx, lines: LineRow[]): Promise<void> {
  for (const [position, line] of lines.entries())
    if (line.position !== position) await updateLine(tx, line.id, { position })
}
