import { problem, type Ctx } from '@svc/kit'
import { findDeposit, type StoredRequest } from '../../db/requests.ts'

interface At { clinic_id: string, budget_id: string, id: string }

/** The deposit of the patient's budget. Throws `not_found` for any other id. */
export async function depositOfSession(ctx: Ctx, { clinic_id, budget_id, id }: At): Promise<StoredRequest> {
  const deposit = await findDeposit(ctx.db, { clinic_id, budget_id })
  if (deposit?.id !== id) throw problem('not_found')
  return deposit
}
