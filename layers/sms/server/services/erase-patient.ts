import type { Ctx, Erasure, Person } from '@svc/kit'
import { forgetPatient } from '../db/messages.ts'
import { forgetStops } from '../db/stops.ts'
import { macsOfPatient } from './patient-numbers.ts'

/** The rows stay as counts of the clinic, without the patient. Files of the outbox are removed by the host. */
export async function erasePatient(ctx: Ctx, { clinic_id, id: patient_id }: Person): Promise<Erasure> {
  const macs = await macsOfPatient(ctx, { clinic_id, id: patient_id })
  const messages = await forgetPatient(ctx.db, { clinic_id, patient_id })
  const stops = await forgetStops(ctx.db, { clinic_id, patient_id, macs })
  return {
    erased: [
      { what: 'text messages, without the patient', count: messages.length },
      { what: 'channels turned off', count: stops }
    ],
    held: [],
    letters: { ids: messages.filter(({ via }) => via === 'file').map(({ id }) => id) }
  }
}
