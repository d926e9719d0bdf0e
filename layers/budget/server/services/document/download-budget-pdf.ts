import type { Client, Ctx } from '@svc/kit'
import type { ShownBudget } from '../../db/budgets.ts'
import { logAccess } from '../log/log-access.ts'
import { logTampering } from '../log/log-tampering.ts'
import { renderBudgetPdf } from './render-budget-pdf.ts'

interface Input {
  budget: ShownBudget
  now: Date
  locale: string | undefined
  by: { actor: 'patient' } | { actor: 'staff', user_id: string }
  client: Client
  /** HEAD and prefetching add no log row. */
  no_effect: boolean
}

/** Draws the unsigned PDF for a person and adds a log row. */
export async function downloadBudgetPdf(
  ctx: Ctx,
  { budget, now, locale, by, client, no_effect }: Input
): Promise<Uint8Array> {
  const render = () => renderBudgetPdf(ctx, { budget, now, locale })
  if (no_effect) return await render()
  const bytes = await logTampering(ctx, { budget_id: budget.id, action: 'pdf_download', client, ...by }, render)
  await ctx.localTransaction(tx =>
    logAccess(ctx, tx, { budget_id: budget.id, action: 'pdf_download', client, ...by })
  )
  return bytes
}
