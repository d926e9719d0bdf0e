import type { Ctx, Tx } from '@svc/kit'
import type { BilledInvoice } from '@svc/kit/modules/billing'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { findRequestLocked, updateRequest, type StoredRequest } from '../../db/requests.ts'
import { endRequest, recordChange, type EndReason } from './cancel-request.ts'

/** Why nothing is due any more; or the most that the patient can pay, in minor units, null without such a limit. */
type Due = { ended: EndReason } | { ended: null, limit: bigint | null }

/**
 * The request as it is owed now, by the modules that know. The events that end a request come a moment later, and an
 * invoice can be paid at the desk. A request that is not due any more ends. One whose invoice has less due is lowered
 * to that, so that the patient and the provider have the same amount.
 */
export async function fitToDue(ctx: Ctx, request: StoredRequest): Promise<StoredRequest> {
  if (!isPayable(request.state)) return request
  const due = await dueOf(ctx, request)
  if (due.ended !== null) return await endRequest(ctx, request, due.ended) ?? request
  if (due.limit === null || due.limit >= request.amount) return request
  return await ctx.db.transaction(async (tx) => {
    const locked = await findRequestLocked(tx, request)
    const amount = locked && isPayable(locked.state) ? await dueAmount(ctx, tx, locked) : null
    if (!locked || amount === null) return locked ?? request
    await lowerTo(ctx, tx, locked, amount)
    return { ...locked, amount }
  })
}

/** What can be paid of a locked request; null: nothing is due any more. */
export async function dueAmount(ctx: Ctx, tx: Tx, request: StoredRequest): Promise<bigint | null> {
  const due = await dueOf(ctx, request, tx)
  if (due.ended !== null) return null
  return due.limit !== null && due.limit < request.amount ? due.limit : request.amount
}

/** With a row of the audit log: call it as the last statement of the transaction. */
export async function lowerTo(ctx: Ctx, tx: Tx, request: StoredRequest, amount: bigint): Promise<void> {
  if (amount === request.amount) return
  await updateRequest(tx, request.id, { amount })
  const actor = { type: 'system', id: null, name: 'payments' } as const
  await recordChange(ctx, tx, request, { actor, client: null }, 'amount')
}

async function dueOf(ctx: Ctx, request: StoredRequest, tx?: Tx): Promise<Due> {
  const { clinic_id, budget_id, invoice_id } = request
  const billing = ctx.use('billing')
  if (invoice_id !== null) {
    const invoice = await billing.getInvoice(clinic_id, invoice_id, tx)
    return invoice?.status === 'issued' && invoice.due > 0n ? { ended: null, limit: invoice.due } : { ended: 'settled' }
  }
  const budget = await ctx.use('budget').getBudget(clinic_id, budget_id, tx)
  if (budget?.status !== 'accepted') return { ended: 'budget_cancelled' }
  if (budget.withdrawn_at) return { ended: 'withdrawn' }
  return dueOfInvoices((await billing.listInvoicesOf(clinic_id, budget_id, tx)).filter(isCounted))
}

const isCounted = ({ status }: BilledInvoice) => status !== 'cancelled'

/** A deposit has no limit until all of the budget is invoiced. */
function dueOfInvoices(invoices: BilledInvoice[]): Due {
  if (invoices.length === 0 || invoices.some(({ status }) => status === 'draft')) return { ended: null, limit: null }
  const limit = invoices.reduce((sum, { due }) => sum + due, 0n)
  return limit > 0n ? { ended: null, limit } : { ended: 'settled' }
}
