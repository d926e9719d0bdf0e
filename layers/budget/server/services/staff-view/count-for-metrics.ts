import type { Ctx, Gauge } from '@svc/kit'
import { pendingPdfs } from '../../db/transitions.ts'
import { lockedLinks } from '../../db/links.ts'

export async function countForMetrics(ctx: Ctx): Promise<Gauge[]> {
  const pdfs = await pendingPdfs(ctx.db)
  return [
    { name: 'signed_pdf_pending', help: 'Accepted budgets whose signed PDF is still to be made.', value: pdfs.count },
    {
      name: 'signed_pdf_oldest_seconds',
      help: 'Since when the oldest of them was accepted.',
      value: pdfs.oldest_seconds
    },
    { name: 'links_locked', help: 'Links locked by wrong codes.', value: await lockedLinks(ctx.db) }
  ]
}
