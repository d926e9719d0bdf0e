import type { Ctx } from '@svc/kit'
import type { AttentionAnswer } from '../../../shared/contract.ts'
import { countUpTo, listPage, type ListOrder } from '../../db/list.ts'
import type { Attention } from '../../../shared/domain/attention.ts'
import { toRows } from './list-budgets.ts'

const SHOWN = 5
/** The same limit as in the list. */
const LIMIT = 10_000

/**
 * What needs the staff's attention, a few of each kind: those that expire soonest or have waited longest first,
 * otherwise the newest.
 */
export async function listAttention(ctx: Ctx, clinic_id: string): Promise<AttentionAnswer> {
  const [question, expiring, locked, undelivered, pdf_pending, withdrawn_invoiced, withdrawn_paid] = await Promise.all([
    attended('question', '-sent_at'),
    attended('expiring', 'valid_until'),
    attended('locked', '-sent_at'),
    attended('undelivered', '-sent_at'),
    attended('pdf_pending', 'decided_at'),
    attended('withdrawn_invoiced', 'decided_at'),
    attended('withdrawn_paid', 'decided_at')
  ])
  return { question, expiring, locked, undelivered, pdf_pending, withdrawn_invoiced, withdrawn_paid }

  async function attended(attention: Attention, sort: ListOrder) {
    const filter = { clinic_id, attention }
    const [rows, counted] = await Promise.all([
      listPage(ctx.db, filter, { sort, page: 1, page_size: SHOWN }),
      countUpTo(ctx.db, filter, LIMIT)
    ])
    return { total: [...counted.values()].reduce((all, n) => all + n, 0), budgets: await toRows(ctx, clinic_id, rows) }
  }
}
