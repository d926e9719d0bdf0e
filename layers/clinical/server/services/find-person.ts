import type { Ctx, Person } from '@svc/kit'
import { findPatientAnywhere } from '../db/patients.ts'

/** For the host, which searches in every clinic. */
export async function findPerson(ctx: Ctx, id: string): Promise<Person | null> {
  const row = await findPatientAnywhere(ctx.db, id)
  return row && { clinic_id: row.clinic_id, id: row.id, name: `${row.first_name} ${row.last_name}`.trim() }
}
