import type { Csv, Ctx } from '@svc/kit'
import type { AcceptanceQuery, AcceptanceReport } from '../../shared/contract.ts'
import { reportAcceptance } from './report-acceptance.ts'

type Month = AcceptanceReport['months'][number]

const FIGURES = [
  'sent',
  'viewed',
  'accepted',
  'rejected',
  'sent_amount',
  'accepted_amount',
  'withdrawn',
  'withdrawn_amount',
  'offered_amount',
  'taken_share',
  'invoices',
  'invoice_drafts',
  'invoiced_amount',
  'median_hours',
  'advances',
  'advances_amount',
  'advances_balance'
] as const satisfies readonly (keyof Month)[]

/** A row for each month. */
export async function exportAcceptance(ctx: Ctx, asked: AcceptanceQuery & { clinic_id: string }): Promise<Csv> {
  const { from, to, currency, months } = await reportAcceptance(ctx, asked)
  return {
    name: `acceptance-${from}-${to}`,
    columns: ['month', 'currency', ...FIGURES],
    batches: inOne(months.map(month => [month.month, currency, ...FIGURES.map(figure => toCell(month[figure]))]))
  }
}

const toCell = (figure: number | string | null) => figure === null ? null : String(figure)

async function* inOne(rows: (string | null)[][]) { yield rows }
