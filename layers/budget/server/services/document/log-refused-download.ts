import type { Client, Ctx } from '@svc/kit'
import { lockHead } from '../../db/access-log.ts'
import { countRefusedDownloads } from '../../db/documents.ts'
import { logAccess } from '../log/log-access.ts'

/** Knowing the link must not be enough to fill a budget's log. */
const MAX_ROWS_PER_MINUTE = 10

/** Logs a request for the signed PDF of an existing link without a session, at most ten times a minute. */
export async function logRefusedDownload(
  ctx: Ctx,
  { budget_id, client }: { budget_id: string, client: Client }
): Promise<void> {
  if ((await countRefusedDownloads(ctx.db, budget_id)) >= MAX_ROWS_PER_MINUTE) return
  await ctx.localTransaction(async (tx) => {
    await lockHead(tx, budget_id) // counted again under the lock: ten of any parallel requests are logged
    if ((await countRefusedDownloads(tx, budget_id)) >= MAX_ROWS_PER_MINUTE) return
    await logAccess(ctx, tx, {
      budget_id,
      action: 'signed_pdf_download',
      success: false,
      actor: 'patient',
      client,
      detail: { reason: 'code_required' }
    })
  })
}
