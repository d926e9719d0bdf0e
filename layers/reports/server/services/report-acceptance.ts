import type { Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { AdvanceMonth, InvoicedMonth } from '@svc/kit/modules/billing'
import type { SentMonth } from '@svc/kit/modules/budget'
import type { AcceptanceQuery, AcceptanceReport } from '../../shared/contract.ts'
import { readPeriod } from './read-period.ts'

/** By the month in which budgets were sent, so that a rate is one: what became of these very budgets. */
export async function reportAcceptance(
  ctx: Ctx,
  asked: AcceptanceQuery & { clinic_id: string }
): Promise<AcceptanceReport> {
  const { from, to, months, currency, time_zone } = await readPeriod(ctx, asked)
  const about = { clinic_id: asked.clinic_id, time_zone, from, to }
  const billing = ctx.use('billing')
  const [{ months: sent, reasons }, invoiced, advances] = await Promise.all([
    ctx.use('budget').acceptance(about),
    billing.invoicedByMonth(about),
    billing.advancesByMonth(about)
  ])
  const figuresOf = (month: string | null) => {
    const isIn = (row: { month: string }) => month === null || row.month === month
    return {
      ...toFigures(sent.find(row => row.month === month), invoiced.filter(isIn), currency),
      ...toAdvances(advances.filter(isIn), currency)
    }
  }
  return {
    from,
    to,
    currency,
    time_zone,
    totals: figuresOf(null),
    months: months.map(month => ({ month, ...figuresOf(month) })),
    reasons
  }
}

function toFigures(
  row: SentMonth | undefined,
  invoiced: InvoicedMonth[],
  currency: string
): Omit<AcceptanceReport['totals'], keyof ReturnType<typeof toAdvances>> {
  const {
    sent = 0,
    viewed = 0,
    accepted = 0,
    rejected = 0,
    sent_amount = 0n,
    accepted_amount = 0n,
    withdrawn = 0,
    withdrawn_amount = 0n,
    offered_amount = 0n,
    taken_amount = 0n,
    median_hours = null
  } = row ?? {}
  return {
    sent,
    viewed,
    accepted,
    rejected,
    sent_amount: formatMoney(sent_amount, currency),
    accepted_amount: formatMoney(accepted_amount, currency),
    withdrawn,
    withdrawn_amount: formatMoney(withdrawn_amount, currency),
    offered_amount: formatMoney(offered_amount, currency),
    taken_share: offered_amount === 0n ? null : Number((taken_amount * 10_000n) / offered_amount) / 10_000,
    invoices: invoiced.reduce((all, { count }) => all + count, 0),
    invoice_drafts: invoiced.reduce((all, { drafts }) => all + drafts, 0),
    invoiced_amount: formatMoney(
      invoiced.reduce((all, { amount }) => all + amount, 0n),
      currency
    ),
    median_hours: median_hours === null ? null : Math.round(median_hours * 100) / 100
  }
}

const toAdvances = (months: AdvanceMonth[], currency: string) => ({
  advances: months.reduce((all, { count }) => all + count, 0),
  advances_amount: formatMoney(months.reduce((all, { amount }) => all + amount, 0n), currency),
  advances_balance: formatMoney(months.reduce((all, { balance }) => all + balance, 0n), currency)
})
