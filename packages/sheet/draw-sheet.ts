import { isProblem, type Ctx } from '@svc/kit'
import type { Inspected } from './pdf/inspect.ts'
import type { Rendered } from './pdf/render.ts'
import type { SheetWork } from './pdf/sheet.thread.ts'
import type { Letterhead, Sheet } from './sheet.ts'

const inThread = <T>(ctx: Ctx, work: SheetWork): Promise<T> =>
  ctx.threads.run(new URL('./pdf/sheet.thread.ts', import.meta.url), work)

/**
 * The PDF of a document with the clinic's letterhead. Equal documents give equal bytes. A logo that can't be drawn is
 * left out and logged (`pdf.without_logo`), because patients need the document anyway. Throws `busy` when too many
 * documents are waiting.
 */
export async function drawSheet(ctx: Ctx, sheet: Sheet, clinic: Letterhead): Promise<Rendered> {
  const draw = (letterhead: Letterhead) => inThread<Rendered>(ctx, { sheet, clinic: letterhead })
  if (!clinic.logo) return await draw(clinic)
  try {
    return await draw(clinic)
  } catch (error) {
    if (isProblem(error)) throw error // the queue is full, so drawing without the logo would fail too
    ctx.log.warn('pdf.without_logo', { number: sheet.number, error })
    return await draw({ ...clinic, logo: null })
  }
}

/** Returns the page count and text of a PDF that we made. Throws when it is empty, truncated or cannot be parsed. */
export const inspectSheet = (ctx: Ctx, bytes: Uint8Array): Promise<Inspected> => inThread(ctx, { inspect: bytes })
