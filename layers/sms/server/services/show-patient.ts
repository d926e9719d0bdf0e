import { isId, problem, type Ctx, type Recipient } from '@svc/kit'
import type { Patient } from '@svc/kit/modules/clinical'
import { CHANNELS, type ChannelName, type PatientChannel, type PatientMessage, type PatientMessages } from '../../shared/contract.ts'
import { findObstacle, hideNumber } from '../channels.ts'
import { countOfPatient, listOfPatient, type MessageRow } from '../db/messages.ts'
import { findStop } from '../db/stops.ts'
import { explainError, sentenceIn } from '../texts.ts'
import { macsOf } from './number-mac.ts'
import { readNumber } from './read-number.ts'

const SHOWN = 10

/** Throws `not_found`, also for a malformed id and for a patient whose data was erased. */
export async function getPatient(ctx: Ctx, { clinic_id, id }: { clinic_id: string, id: string }): Promise<Patient> {
  const patient = isId(id) ? await ctx.use('clinical').getPatient(clinic_id, id) : null
  if (!patient) throw problem('not_found')
  return patient
}

/** A patient's channels, and the newest messages to them. */
export async function showPatient(
  ctx: Ctx,
  { clinic_id, id, locale }: { clinic_id: string, id: string, locale: string }
): Promise<PatientMessages> {
  const patient = await getPatient(ctx, { clinic_id, id })
  const rows = await listOfPatient(ctx.db, { clinic_id, patient_id: id }, SHOWN)
  return {
    channels: await Promise.all(CHANNELS.map(channel => showChannel(ctx, { clinic_id, patient, channel, locale }))),
    messages: rows.map(row => showMessage(row, locale)),
    total: await countOfPatient(ctx.db, { clinic_id, patient_id: id })
  }
}

async function showChannel(
  ctx: Ctx,
  { clinic_id, patient, channel, locale }: { clinic_id: string, patient: Patient, channel: ChannelName, locale: string }
): Promise<PatientChannel> {
  const { id, email, phone } = patient
  const recipient: Recipient = { clinic_id, id, email, phone, locale: patient.locale }
  const reason = await findObstacle(ctx, { channel, clinic_id, recipient })
  const { country } = await ctx.clinics.get(clinic_id)
  const { number } = await readNumber(phone, country)
  const stop = number === null ? null : await findStop(ctx.db, { clinic_id, channel, macs: macsOf(ctx, number) })
  return {
    channel,
    ready: reason === null,
    reason: reason && sentenceIn(reason, locale),
    hidden_number: number && hideNumber(number),
    stop: stop && { cause: stop.cause, at: stop.stopped_at.toISOString() }
  }
}

const FAILED = ['failed', 'refused']

function showMessage(row: MessageRow, locale: string): PatientMessage {
  const { id, channel, kind, state, error, encoding, parts, via, created_at } = row
  return {
    id, channel, kind, state, encoding, parts, via,
    reason: FAILED.includes(state) && error !== null ? explainError(error, locale) : null,
    created_at: created_at.toISOString()
  }
}
