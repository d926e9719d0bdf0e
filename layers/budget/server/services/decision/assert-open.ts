import { problem } from '@svc/kit'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import type { ShownBudget } from '../../db/budgets.ts'
import type { SignatureRow } from '../../db/signatures.ts'
import { decisionOf } from '../budget/patient-view.ts'

interface At { decision: Pick<SignatureRow, 'signer_name' | 'reason'> | null, now: Date }

/**
 * Passes a version that can be decided. Throws `already_decided` with the decision, `wrong_state` for a draft, and
 * `budget_*`.
 */
export function assertOpen(budget: ShownBudget, { decision, now }: At): void {
  const status = statusAt(budget, now)
  switch (status) {
    case 'sent':
      return
    case 'accepted':
    case 'rejected':
      throw problem('already_decided', { decision: decisionOf(budget, decision) })
    case 'draft':
      throw problem('wrong_state', { detail: 'This budget is still a draft. Send it first.', status })
    default:
      throw problem(`budget_${status}`)
  }
}
