import { etagOf, reply, type Ctx, type Reply } from '@svc/kit'
import type { BudgetDetail } from '../../shared/contract.ts'
import type { BudgetRow } from '../db/budgets.ts'
import { proofFaults } from '../services/proof/proof-faults.ts'
import { showBudget } from '../services/staff-view/show-budget.ts'

export interface Detail { detail: BudgetDetail, edit: number }

/** The staff's view of one version, with the faults of its proof. */
export async function detailOf(ctx: Ctx, budget: BudgetRow): Promise<Detail> {
  const shown = await showBudget(ctx, budget)
  return { detail: { ...shown, proof_faults: await proofFaults(ctx, budget) }, edit: budget.edit }
}

export const answer = ({ detail, edit }: Detail, status = 200): Reply =>
  reply({ status, headers: { ETag: etagOf(edit) }, data: detail })
