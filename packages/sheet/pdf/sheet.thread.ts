import type { Letterhead, Sheet } from '../sheet.ts'
import { inspectPdf, type Inspected } from './inspect.ts'
import { renderSheet, type Rendered } from './render.ts'

export type SheetWork = { sheet: Sheet, clinic: Letterhead } | { inspect: Uint8Array }

/** Runs in a thread (`draw-sheet.ts`), because the engine is large and a long document keeps a processor busy. */
export default async function work(work: SheetWork): Promise<Rendered | Inspected> {
  return 'sheet' in work ? await renderSheet(work.sheet, work.clinic) : await inspectPdf(work.inspect)
}
