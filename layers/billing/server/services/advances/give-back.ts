import { isId, problem, type Ctx, type Tx } from '@svc/kit'
import type { NewReturn } from '@svc/kit/modules/billing'
import {
  findAdvance,
  insertAdvanceReversal,
  listApplied,
  listOpenLocked,
  listReversals,
  lockMoney,
  type AdvanceRow
} from '../../db/advances.ts'
import { findInvoiceLocked, updateInvoice, type InvoiceRow } from '../../db/invoices.ts'
import { insertReversal, listPayments } from '../../db/payments.ts'
import { planApplication } from '../../../shared/domain/advances.ts'
import { settled } from '../../../shared/domain/invoice-state.ts'
import { sumOf } from '../views.ts'
import { applyAdvances } from './apply-advances.ts'
import { checkAdvances } from './check-advances.ts'

/**
 * Records money that a module has returned already, so it is never refused because an invoice has taken the money.
 * Then all payments from this advance are reversed, and the budget's open advances pay the invoices again. Throws
 * `not_found`, `over_advance`, `return_id_used`.
 */
export async function giveBack(ctx: Ctx, tx: Tx, input: NewReturn): Promise<AdvanceRow> {
  const { clinic_id, advance_id, amount, reason, reversal_id, reversed_by = null } = input
  const key = { clinic_id, id: advance_id }
  const found = isId(advance_id) ? await findAdvance(tx, key) : null
  if (!found) throw problem('not_found')
  await lockMoney(tx, found)
  const advance = (await findAdvance(tx, key))!
  const returns = await listReversals(tx, [advance.id])
  if (returns.some(({ id }) => id === reversal_id)) return advance
  if (amount <= 0n) throw new Error(`${amount} minor units cannot be returned`)
  if (amount > advance.amount - advance.returned) throw problem('over_advance')
  const reversed_at = await ctx.clock.now(tx)
  const invoices = amount > advance.balance
    ? await takeOut(tx, advance, { reason, reversed_at, reversed_by })
    : []
  const inserted = await insertAdvanceReversal(tx, {
    ...(reversal_id ? { id: reversal_id } : {}),
    advance_id: advance.id, clinic_id, amount, reason, reversed_at, reversed_by
  })
  if (!inserted) throw problem('return_id_used')
  for (const invoice of invoices) await payAgain(tx, invoice, reversed_by)
  await checkAdvances(ctx, tx, advance)
  return (await findAdvance(tx, key))!
}

interface Reversed { reason: string, reversed_at: Date, reversed_by: string | null }

/** Reverses all payments from the advance, and returns their invoices, oldest payment first. */
async function takeOut(tx: Tx, { id, clinic_id }: AdvanceRow, how: Reversed): Promise<InvoiceRow[]> {
  const payments = (await listApplied(tx, [id])).filter(({ reversed_at }) => !reversed_at)
  const invoices: InvoiceRow[] = []
  for (const invoice_id of new Set(payments.map(payment => payment.invoice_id)))
    invoices.push((await findInvoiceLocked(tx, { clinic_id, id: invoice_id }))!)
  for (const { id: payment_id, invoice_id } of payments)
    await insertReversal(tx, { payment_id, invoice_id, clinic_id, ...how })
  return invoices
}

async function payAgain(tx: Tx, invoice: InvoiceRow, reversed_by: string | null): Promise<void> {
  const open = (await listOpenLocked(tx, invoice)).filter(({ currency }) => currency === invoice.currency)
  const paid = sumOf(await listPayments(tx, invoice.id))
  const plan = planApplication(open, invoice.total - paid)
  const paid_then = plan.reduce((sum, { amount }) => sum + amount, paid)
  // Only an issued invoice takes payments, so a paid one gets that status first.
  await updateInvoice(tx, invoice.id, { status: settled(invoice.total, paid) })
  await applyAdvances(tx, invoice, plan, reversed_by)
  if (plan.length > 0) await updateInvoice(tx, invoice.id, { status: settled(invoice.total, paid_then) })
}
