import type { BudgetDocument, Letterhead } from './document.ts'
import { inspectPdf, type Inspected } from './inspect.ts'
import { renderBudget, renderSheet, type Rendered } from './render.ts'
import type { Sheet } from './sheet.ts'

export type PdfWork = { document: BudgetDocument } | { sheet: Sheet, clinic: Letterhead } | { inspect: Uint8Array }

/** Runs in a thread (`services/render-document.ts`): the engine is large, a long document keeps a processor busy. */
export default async function work(work: PdfWork): Promise<Rendered | Inspected> {
  if ('document' in work) return await renderBudget(work.document)
  if ('sheet' in work) return await renderSheet(work.sheet, work.clinic)
  return await inspectPdf(work.inspect)
}
