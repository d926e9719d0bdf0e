import { isProblem, type Ctx } from '@svc/kit'
import type { BudgetDocument, Letterhead } from '../../pdf/document.ts'
import type { Inspected } from '../../pdf/inspect.ts'
import type { PdfWork } from '../../pdf/pdf.thread.ts'
import type { Rendered } from '../../pdf/render.ts'
import type { Sheet } from '../../pdf/sheet.ts'

const inThread = <T>(ctx: Ctx, work: PdfWork): Promise<T> =>
  ctx.threads.run(new URL('../../pdf/pdf.thread.ts', import.meta.url), work)

export const renderDocument = (ctx: Ctx, document: BudgetDocument) =>
  withOrWithoutLogo(ctx, document, clinic => inThread(ctx, { document: { ...document, clinic } }))

export const renderSheetOf = (ctx: Ctx, sheet: Sheet, clinic: Letterhead) =>
  withOrWithoutLogo(ctx, { number: sheet.number, clinic }, clinic => inThread(ctx, { sheet, clinic }))

/** Pages and text of a PDF of ours. Throws when it is empty, cut off or cannot be parsed. */
export const inspectDocument = (ctx: Ctx, inspect: Uint8Array) => inThread<Inspected>(ctx, { inspect })

interface Headed { number: string, clinic: Letterhead }
type Render = (clinic: Letterhead) => Promise<Rendered>

/** A logo that cannot be drawn must not keep a patient from a document. */
async function withOrWithoutLogo(ctx: Ctx, { number, clinic }: Headed, render: Render): Promise<Rendered> {
  if (!clinic.logo) return await render(clinic)
  try {
    return await render(clinic)
  } catch (error) {
    if (isProblem(error)) throw error // too busy to draw anything
    ctx.log.warn('pdf.without_logo', { number, error })
    return await render({ ...clinic, logo: null })
  }
}
