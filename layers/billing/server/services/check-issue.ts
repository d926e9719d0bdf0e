import { isProblem, type Ctx, type Tx } from '@svc/kit'
import type { BillingSteps } from '@svc/kit/modules/billing'
import { formatMoney } from '@svc/kit/money'
import type { ChangeKey, LockedInvoice } from './change-invoice.ts'

/** Asks the modules that guard the issue, with the invoice locked. Throws the guard's problem. */
export async function checkIssue(ctx: Ctx, tx: Tx, { invoice, paid }: LockedInvoice): Promise<void> {
  const { id: invoice_id, clinic_id, budget_id, budget_number, patient_id, currency } = invoice
  const payload: BillingSteps['billing.issue'] = {
    clinic_id,
    invoice_id,
    budget_id,
    budget_number,
    patient_id,
    total: formatMoney(invoice.total, currency),
    currency,
    paid: formatMoney(paid, currency)
  }
  await ctx.steps.check(tx, 'billing.issue', payload)
}

/** Runs the transaction of an issue. If a guard refuses it, a row is added to the audit log after the rollback. */
export async function logRefusal(ctx: Ctx, { clinic_id, id, user_id }: ChangeKey, issue: () => Promise<void>) {
  try {
    await issue()
  } catch (error) {
    if (!isProblem(error) || typeof error.fields.module !== 'string') throw error
    const { code, fields: { module } } = error
    await ctx.db.transaction(tx => ctx.audit.record(tx, {
      clinic_id,
      actor: { type: 'user', id: user_id, name: null },
      action: 'step_refused',
      target: { kind: 'invoice', id },
      detail: { step: 'billing.issue', module, code }
    })).catch((cause: unknown) => ctx.log.error('step.refusal.not_logged', { invoice_id: id, module, code, error: cause }))
    throw error
  }
}
