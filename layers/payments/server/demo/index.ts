import type { Ctx } from '@svc/kit'
import { DEFAULTS } from '../../shared/settings.ts'
import { requestDeposit } from '../services/deposits/request-deposit.ts'
import { saveTerms } from '../db/requests.ts'

interface At { clinic_id: string, user_id: string }

/** An example of the IBAN registry, which belongs to no one. */
const ACCOUNT = { iban: 'ES9121000418450200051332', creditor: 'Clínica Dental Aurora' }
const SHOWN = 3

/** Transfers with a deposit of 30 %, and open deposits of the last accepted budgets. Safe to run twice. */
export async function fillDemo(ctx: Ctx, { clinic_id }: At): Promise<void> {
  await chooseTransfers(ctx, clinic_id)
  const accepted = await ctx
    .use('budget')
    .acceptedIn({ clinic_id, from: new Date(0), to: await ctx.clock.now() })
  for (const { id: budget_id } of accepted.slice(-SHOWN)) {
    // These were sent before the module was there.
    const terms = { clinic_id, budget_id, percent: 3000, amount: null, due_days: DEFAULTS.due_days }
    await ctx.db.transaction(tx => saveTerms(tx, terms))
    await requestDeposit(ctx, { clinic_id, budget_id })
  }
}

/** Only if the clinic has not chosen an account yet. */
async function chooseTransfers(ctx: Ctx, clinic_id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await ctx.settings.changedAt(clinic_id, 'iban', tx)) return
    await ctx.settings.change(tx, clinic_id, { ...ACCOUNT, deposit: 'percent', deposit_percent: '30' })
  })
}
