import type { ClinicSettings, ClinicVeto, Ctx, Tx } from '@svc/kit'
import { hasBudgets } from '../../db/budgets.ts'
import { BY_CLINIC, type BudgetSettings } from '../../../shared/settings.ts'
import { findChannel } from '../budget/channels.ts'

interface ClinicChange { clinic_id: string, change: ClinicSettings, tx: Tx }

/** Prices are in the clinic's currency, so it can't change once there is a budget. Codes need a channel that exists. */
export async function beforeClinicChange(ctx: Ctx, { clinic_id, change, tx }: ClinicChange): Promise<ClinicVeto[]> {
  const { code_by = BY_CLINIC } = (change.budget ?? {}) as Partial<BudgetSettings>
  return [
    ...change.currency !== undefined && await hasBudgets(tx, clinic_id)
      ? [{ field: 'currency', reason: 'The currency stays as it is: the clinic has budgets in it.' }]
      : [],
    ...code_by !== BY_CLINIC && !await findChannel(ctx, code_by, { clinic_id, patient: null })
      ? [{ field: 'budget.code_by', reason: `This service has no channel “${code_by}”.` }]
      : []
  ]
}
