import type { Ctx } from '@svc/kit'
import type { BudgetDocument } from '../pdf/document.ts'
import { renderBudget, type Rendered } from '../pdf/render.ts'

/** A logo that cannot be drawn must not keep a patient from a document. */
export async function renderDocument(ctx: Ctx, document: BudgetDocument): Promise<Rendered> {
  if (!document.clinic.logo) return await renderBudget(document)
  try {
    return await renderBudget(document)
  } catch (error) {
    ctx.log.warn('pdf.without_logo', { number: document.number, error })
    return await renderBudget({ ...document, clinic: { ...document.clinic, logo: null } })
  }
}
