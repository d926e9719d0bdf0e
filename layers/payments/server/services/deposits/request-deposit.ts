import type { Ctx, EventPayload } from '@svc/kit'
import { addDays, dayIn } from '../../../shared/domain/calendar.ts'
import { depositOf, type DepositTerms } from '../../../shared/domain/deposit.ts'
import { findDeposit, findTerms } from '../../db/requests.ts'
import { addRequest } from '../requests/insert-request.ts'

type Accepted = Pick<EventPayload<'budget.accepted'>, 'clinic_id' | 'budget_id'>

/** Asks for the deposit that the accepted version states. The event can come twice: the request is there already. */
export async function requestDeposit(ctx: Ctx, { clinic_id, budget_id }: Accepted): Promise<void> {
  const terms = await findTerms(ctx.db, { clinic_id, budget_id })
  const budget = await ctx.use('budget').getBudget(clinic_id, budget_id)
  if (!terms || budget?.status !== 'accepted' || budget.withdrawn_at || !budget.decided_at) return
  if (await findDeposit(ctx.db, { clinic_id, budget_id })) return
  const amount = depositOf(budget.total, terms as DepositTerms)
  if (amount === 0n) return
  const { time_zone } = await ctx.clinics.get(clinic_id)
  await ctx.db.transaction(tx => addRequest(ctx, tx, {
    clinic_id,
    kind: 'deposit',
    budget_id,
    budget_number: budget.number,
    patient_id: budget.patient.id,
    locale: budget.locale,
    currency: budget.currency,
    amount,
    due_on: addDays(dayIn(time_zone, budget.decided_at!), terms.due_days)
  }))
}
