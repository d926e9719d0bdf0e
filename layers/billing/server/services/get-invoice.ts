import { isId, problem, type Ctx } from '@svc/kit'
import type { Invoice } from '../../shared/contract.ts'
import { findInvoice, listLines, sumPayments } from '../db/invoices.ts'
import { toLine, toRow } from './views.ts'

/** A malformed id is as unknown as another clinic's. */
export async function getInvoice(ctx: Ctx, { clinic_id, id }: { clinic_id: string, id: string }): Promise<Invoice> {
  const row = isId(id) ? await findInvoice(ctx.db, { clinic_id, id }) : null
  if (!row) throw problem('not_found')
  const [lines, paid] = await Promise.all([listLines(ctx.db, row.id), sumPayments(ctx.db, [row.id])])
  return {
    ...toRow(row, paid.get(row.id) ?? 0n),
    locale: row.locale,
    cancel_reason: row.cancel_reason,
    items: lines.map(line => toLine(line, row.currency))
  }
}
