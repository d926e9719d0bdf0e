import type { Ctx, Erasure, Person } from '@svc/kit'
import { emptyPatient, findPatient } from '../db/patients.ts'

/** The row stays, empty and marked: budgets and invoices name its id. Letters to the patient went to the address that it had. */
export async function erasePatient(ctx: Ctx, person: Person): Promise<Erasure> {
  const row = await findPatient(ctx.db, person)
  if (!row) return { erased: [], held: [] }
  const isNew = await emptyPatient(ctx.db, person)
  return {
    erased: [{ what: 'patient', count: isNew ? 1 : 0 }],
    held: [],
    letters: row.email ? { to: [row.email] } : {}
  }
}
