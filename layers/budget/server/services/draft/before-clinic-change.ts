import type { ClinicSettings, ClinicVeto, Ctx, Tx } from '@svc/kit'
import { hasBudgets } from '../../db/budgets.ts'

interface Asked { clinic_id: string, change: ClinicSettings, tx: Tx }

/** Prices are in the clinic's currency, so it can't change once there is a budget. */
export async function beforeClinicChange(_ctx: Ctx, { clinic_id, change, tx }: Asked): Promise<ClinicVeto[]> {
  if (change.currency === undefined || !await hasBudgets(tx, clinic_id)) return []
  return [{ field: 'currency', reason: 'The currency stays as it is: the clinic has budgets in it.' }]
}
