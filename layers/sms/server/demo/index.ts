import { createHash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { Patient } from '@svc/kit/modules/clinical'
import { findMessage, type MessageRow } from '../db/messages.ts'
import { readNumber } from '../services/read-number.ts'
import { sendMessage } from '../services/send-message.ts'
import { takeAnswer } from '../services/take-answer.ts'
import { takeReport } from '../services/take-report.ts'

interface At { clinic_id: string }
type Ending = (ctx: Ctx, row: MessageRow, number: string) => Promise<void>

const delivered: Ending = (ctx, row) => takeReport(ctx, row, { state: 'delivered', error: null, ref: null })
const failed: Ending = (ctx, row) => takeReport(ctx, row, { state: 'failed', error: '30003', ref: null })
const stopped: Ending = async (ctx, row, number) => {
  await delivered(ctx, row, number)
  await takeAnswer(ctx, { clinic_id: row.clinic_id, channel: 'sms', from: number, text: 'STOP' })
}

/** What becomes of the demo's messages, one for each patient with a mobile number. */
const ENDINGS: Ending[] = [delivered, delivered, failed, delivered, stopped]

/** Uses the same services as in production, and needs no provider: the messages are files. */
export async function fillDemo(ctx: Ctx, { clinic_id }: At): Promise<void> {
  const { rows } = await ctx.use('clinical').listPatients(clinic_id, { page: 1, page_size: 100 })
  const clinic = await ctx.clinics.get(clinic_id)
  const patients = await Promise.all(rows.map(async patient =>
    ({ patient, number: (await readNumber(patient.phone, clinic.country)).number })))
  const reached = patients.filter((one): one is { patient: Patient, number: string } => one.number !== null)
  for (const [index, { patient, number }] of reached.slice(0, ENDINGS.length).entries()) {
    const id = idOf(clinic_id, patient.id)
    if (await findMessage(ctx.db, { clinic_id, id })) continue
    await sendMessage(ctx, 'sms', {
      id, clinic_id, to: number, recipient_id: patient.id, locale: patient.locale, kind: 'notice', text: textIn(patient.locale, clinic.name)
    })
    await ENDINGS[index]!(ctx, (await findMessage(ctx.db, { clinic_id, id }))!, number)
  }
}

/** The same with each run. */
function idOf(clinic_id: string, patient_id: string): string {
  const hex = createHash('sha256').update(`sms.demo ${clinic_id} ${patient_id}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

const textIn = (locale: string, clinic: string): string => locale.startsWith('es')
  ? `${clinic}: recuerde traer sus radiografias a la cita. Responda STOP para no recibir mensajes.`
  : `${clinic}: please bring your X-rays to your appointment. Answer STOP to get no more messages.`
