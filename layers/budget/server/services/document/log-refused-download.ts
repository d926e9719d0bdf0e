import type { Client, Ctx } from '@svc/kit'
import { lockHead } from '../../db/access-log.ts'
import { countRefusedDownloads } from '../../db/documents.ts'
import { logAccess } from '../proof/log-access.ts'

/** The link alone must not be enough to fill a budget's log. */
const ROWS_A_MINUTE = 10

/** A hit on the signed PDF of a known link without a session: a row, ten a minute at most. */
export async function logRefusedDownload(
  ctx: Ctx,
  { budget_id, client }: { budget_id: string, client: Client }
): Promise<void> {
  if ((await countRefusedDownloads(ctx.db, budget_id)) >= ROWS_A_MINUTE) return
  await ctx.localTransaction(async (tx) => {
    await lockHead(tx, budget_id) // counted again under the lock: of parallel calls ten get through
    if ((await countRefusedDownloads(tx, budget_id)) >= ROWS_A_MINUTE) return
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
