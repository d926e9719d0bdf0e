import type { Ctx } from '@svc/kit'
import { createPatient } from '../services/create-patient.ts'
import { createProfessional } from '../services/create-professional.ts'
import { listPatients } from '../services/list-patients.ts'
import { listProfessionals } from '../services/list-professionals.ts'
import { PATIENTS, PROFESSIONALS } from './people.ts'

/** People of a demo clinic. An existing person with the same name is not changed. */
export async function fillDemo(ctx: Ctx, { clinic_id }: { clinic_id: string }): Promise<void> {
  const everybody = { clinic_id, page: 1, page_size: 100 }
  const professionals = new Set((await listProfessionals(ctx, everybody)).rows.map(row => row.name))
  for (const one of PROFESSIONALS) {
    if (!professionals.has(one.name)) await createProfessional(ctx, { ...one, clinic_id, user_id: null })
  }
  for (const one of PATIENTS) {
    const { rows } = await listPatients(ctx, { ...everybody, search: `${one.first_name} ${one.last_name}` })
    if (rows.length === 0) await createPatient(ctx, { ...one, clinic_id, user_id: null })
  }
}
