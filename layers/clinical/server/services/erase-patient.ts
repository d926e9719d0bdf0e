import type { Ctx, Erasure, Person } from '@svc/kit'
import { patientIds } from '../db/external-ids.ts'
import { emptyPatient, findPatient, isSharedAddress } from '../db/patients.ts'

/**
 * The row stays, empty and marked, because budgets and invoices refer to its id. Messages to the patient's address are
 * removed. If another patient has the same address, only messages whose ids a module knows are removed.
 */
export async function erasePatient(ctx: Ctx, person: Person): Promise<Erasure> {
  const row = await findPatient(ctx.db, person)
  if (!row) return { erased: [], held: [] }
  const isOwn = row.email !== null && !await isSharedAddress(ctx.db, person, row.email)
  const isNew = await emptyPatient(ctx.db, person)
  const ids = await patientIds(ctx).remove(ctx.db, person.id)
  return {
    erased: [{ what: 'patient', count: isNew ? 1 : 0 }, { what: 'patient ids of other systems', count: ids }],
    held: [],
    letters: isOwn ? { to: [row.email!] } : {}
  }
}
