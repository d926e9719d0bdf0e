import type { Ctx, Person, PersonData } from '@svc/kit'
import { listOfPatient } from '../db/messages.ts'
import { listStopsOf } from '../db/stops.ts'
import { macsOfPatient } from './patient-numbers.ts'

const ALL = 100_000

/** Of each message when, by what and what became of it. Neither text nor number is kept here. */
export async function exportPatient(ctx: Ctx, { clinic_id, id: patient_id }: Person): Promise<PersonData> {
  const messages = await listOfPatient(ctx.db, { clinic_id, patient_id }, ALL)
  const macs = await macsOfPatient(ctx, { clinic_id, id: patient_id })
  const stops = await listStopsOf(ctx.db, { clinic_id, patient_id, macs })
  return {
    records: {
      'Text messages': messages.map(({ channel, kind, state, error, parts, via, created_at, sent_at }) => ({
        channel, kind, state, error, parts, via,
        created_at: created_at.toISOString(),
        sent_at: sent_at?.toISOString() ?? null
      })),
      'Channels turned off': stops.map(({ channel, cause, stopped_at }) =>
        ({ channel, cause, stopped_at: stopped_at.toISOString() }))
    }
  }
}
