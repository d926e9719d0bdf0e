import type { Ctx } from '@svc/kit'
import type { BudgetDocument, Letterhead } from '../pdf/document.ts'
import type { Rendered } from '../pdf/render.ts'
import type { Sheet } from '../pdf/sheet.ts'

export async function renderDocument(ctx: Ctx, document: BudgetDocument): Promise<Rendered> {
  const { renderBudget } = await renderer()
  return await withOrWithoutLogo(ctx, document, clinic => renderBudget({ ...document, clinic }))
}

export async function renderSheetOf(ctx: Ctx, { clinic, ...sheet }: Sheet & { clinic: Letterhead }): Promise<Rendered> {
  const { renderSheet } = await renderer()
  return await withOrWithoutLogo(ctx, { number: sheet.number, clinic }, clinic => renderSheet(sheet, clinic))
}

/** What draws is dear to load, and a start has nothing to draw. */
const renderer = () => import('../pdf/render.ts')

/** A logo that cannot be drawn must not keep a patient from a document. */
async function withOrWithoutLogo(ctx: Ctx, { number, clinic }: { number: string, clinic: Letterhead }, render: (clinic: Letterhead) => Promise<Rendered>): Promise<Rendered> {
  if (!clinic.logo) return await render(clinic)
  try {
    return await render(clinic)
  } catch (error) {
    ctx.log.warn('pdf.without_logo', { number, error })
    return await render({ ...clinic, logo: null })
  }
}
