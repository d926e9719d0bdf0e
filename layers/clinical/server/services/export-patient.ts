import type { Ctx, Person, PersonData } from '@svc/kit'
import { findPatient } from '../db/patients.ts'
import { toPatient } from './views.ts'

export async function exportPatient(ctx: Ctx, person: Person): Promise<PersonData> {
  const row = await findPatient(ctx.db, person)
  return { records: row ? { Patient: toPatient(row) } : {} }
}
