import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Tx, Db } from '@svc/kit'
import type { ChannelName } from '../../shared/contract.ts'
import { message, stop } from './schema.ts'

export type StopRow = typeof stop.$inferSelect
interface StopKey { clinic_id: string, channel: ChannelName, macs: Buffer[] }

const at = ({ clinic_id, channel, macs }: StopKey) =>
  and(eq(stop.clinic_id, clinic_id), eq(stop.channel, channel), inArray(stop.number_mac, macs))

export async function findStop(db: Db | Tx, key: StopKey): Promise<StopRow | null> {
  const [row] = await db.select().from(stop).where(at(key))
  return row ?? null
}

type NewStop = Pick<StopRow, 'clinic_id' | 'channel' | 'number_mac' | 'patient_id' | 'cause' | 'error'>

/** The first stop of a number stays. False if there was one. */
export async function insertStop(tx: Tx, row: NewStop): Promise<boolean> {
  const added = await tx.insert(stop).values(row).onConflictDoNothing().returning({ id: stop.id })
  return added.length > 0
}

/** False if there was none. */
export async function deleteStop(tx: Tx, key: StopKey): Promise<boolean> {
  const gone = await tx.delete(stop).where(at(key)).returning({ id: stop.id })
  return gone.length > 0
}

interface OfPatient { clinic_id: string, patient_id: string, macs: Buffer[] }
const ofPatient = ({ clinic_id, patient_id, macs }: OfPatient) => {
  const ofNumber = macs.length > 0 ? [inArray(stop.number_mac, macs)] : []
  return and(eq(stop.clinic_id, clinic_id), or(eq(stop.patient_id, patient_id), ...ofNumber))
}

export const listStopsOf = (db: Db | Tx, whose: OfPatient): Promise<StopRow[]> =>
  db.select().from(stop).where(ofPatient(whose)).orderBy(stop.channel, stop.stopped_at)

/**
 * A stop of a number that another patient has too stays, as theirs: otherwise the next message would go to a phone that
 * has answered STOP. Run it after the patient's messages were emptied.
 */
export async function forgetStops(db: Db, whose: OfPatient): Promise<number> {
  const rows = await listStopsOf(db, whose)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await db.update(stop).set({
    patient_id: sql`(
      select m.patient_id from ${message} m
      where m.clinic_id = ${stop.clinic_id} and m.number_mac = ${stop.number_mac} and m.patient_id is not null limit 1)`
  }).where(inArray(stop.id, ids))
  await db.delete(stop).where(and(inArray(stop.id, ids), isNull(stop.patient_id)))
  return rows.length
}
