import { problem, type AuditEntry, type Ctx } from '@svc/kit'
import type { ChannelName } from '../../shared/contract.ts'
import { deleteStop, insertStop } from '../db/stops.ts'
import { macOf, macsOf } from './number-mac.ts'
import { readNumber } from './read-number.ts'
import { getPatient } from './show-patient.ts'

interface Turn { clinic_id: string, id: string, channel: ChannelName, who: Pick<AuditEntry, 'actor' | 'client'> }

/** Ends a channel for a patient's number. Safe to repeat; only a change is audited. */
export async function turnOff(ctx: Ctx, turn: Turn): Promise<void> {
  const { clinic_id, id, channel } = turn
  const number = await getNumber(ctx, turn)
  await ctx.db.transaction(async (tx) => {
    const is_new = await insertStop(tx, {
      clinic_id, channel, number_mac: macOf(ctx, number), patient_id: id, cause: 'staff', error: null
    })
    if (is_new) await ctx.audit.record(tx, entryOf(turn, 'off'))
  })
}

/** Whatever has ended it: an answer, the provider or staff. */
export async function turnOn(ctx: Ctx, turn: Turn): Promise<void> {
  const { clinic_id, channel } = turn
  const number = await getNumber(ctx, turn)
  await ctx.db.transaction(async (tx) => {
    if (await deleteStop(tx, { clinic_id, channel, macs: macsOf(ctx, number) })) await ctx.audit.record(tx, entryOf(turn, 'on'))
  })
}

async function getNumber(ctx: Ctx, { clinic_id, id }: Turn): Promise<string> {
  const { phone } = await getPatient(ctx, { clinic_id, id })
  const { country } = await ctx.clinics.get(clinic_id)
  const { number } = await readNumber(phone, country)
  if (number === null) throw problem('no_mobile_number')
  return number
}

const entryOf = ({ clinic_id, id, channel, who }: Turn, change: 'on' | 'off'): AuditEntry =>
  ({ clinic_id, ...who, action: 'record_changed', target: { kind: 'person', id }, detail: { fields: [channel], change } })
