import type { Ctx, Erasure, Json, Person, PersonData } from '@svc/kit'
import { emptyAttempts } from '../db/attempts.ts'
import { cancelErased, emptyRequests, endLinks, listOfPatient, listOfPatientLocked } from '../db/requests.ts'
import { toRequest } from './requests/views.ts'

/** All requests of the patient, with their attempts and refunds. */
export async function exportPatient(ctx: Ctx, { clinic_id, id }: Person): Promise<PersonData> {
  const rows = await listOfPatient(ctx.db, { clinic_id, patient_id: id })
  const requests = await Promise.all(rows.map(row => toRequest(ctx, row)))
  return { records: { 'Payment requests': requests.map(withoutStaff) } }
}

/** Names of the staff are not the patient's data. */
function withoutStaff(request: Awaited<ReturnType<typeof toRequest>>): Json {
  const { created_by: _, cancelled_by: __, patient: ___, refunds, ...rest } = request
  return { ...rest, refunds: refunds.map(({ created_by: _, ...refund }) => refund) }
}

/**
 * Amounts, days and the provider's numbers stay, because accounts must agree with the provider's. What people wrote,
 * the links and the way back go, and nothing can be paid any more. What the law requires of a payment, billing has in
 * its receipt.
 */
export async function erasePatient(ctx: Ctx, { clinic_id, id }: Person): Promise<Erasure> {
  const key = { clinic_id, patient_id: id }
  // Locked first: a payment that comes at this moment is seen whole, or waits.
  const rows = await listOfPatientLocked(ctx.db, key)
  const texts = await emptyRequests(ctx.db, key) + await emptyAttempts(ctx.db, rows.map(row => row.id))
  const cancelled = await cancelErased(ctx.db, key, await ctx.clock.now(ctx.db))
  const linked = rows.filter(({ token_sealed }) => token_sealed !== '').length
  await endLinks(ctx.db, key)
  return {
    erased: [
      { what: 'open payment requests, cancelled', count: cancelled },
      { what: 'texts in payment requests', count: texts },
      { what: 'links to pay', count: linked }
    ],
    held: []
  }
}
