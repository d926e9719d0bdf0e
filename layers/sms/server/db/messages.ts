import { and, count, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Tx, Db } from '@svc/kit'
import { message, type Via } from './schema.ts'

export type MessageRow = typeof message.$inferSelect
export type NewMessage = Pick<
  MessageRow, 'id' | 'clinic_id' | 'channel' | 'kind' | 'via' | 'patient_id' | 'number_mac' | 'encoding' | 'parts' | 'day'
>
export interface MessageKey { clinic_id: string, id: string }

const at = ({ clinic_id, id }: MessageKey) => and(eq(message.clinic_id, clinic_id), eq(message.id, id))

/** Locks the row until the transaction ends: an attempt that comes at the same time waits. */
export async function insertOrLock(tx: Db | Tx, row: NewMessage): Promise<{ row: MessageRow, is_new: boolean }> {
  const [added] = await tx.insert(message).values({ ...row, state: 'waiting' }).onConflictDoNothing().returning()
  if (added) return { row: added, is_new: true }
  const [found] = await tx.select().from(message).where(eq(message.id, row.id)).for('update')
  return { row: found!, is_new: false }
}

export async function updateMessage(tx: Db | Tx, key: MessageKey, change: Partial<MessageRow>): Promise<void> {
  await tx.update(message).set(change).where(at(key))
}

/** Ends a message that may have arrived. False if a report came first: it keeps its state. */
export async function abandonMessage(db: Db, key: MessageKey, error: string): Promise<boolean> {
  const ended = await db.update(message).set({ state: 'failed', error })
    .where(and(at(key), eq(message.state, 'sending'))).returning({ id: message.id })
  return ended.length > 0
}

/** What the provider's answer changes. A report that came first keeps its state. */
export async function markSent(tx: Db | Tx, key: MessageKey, ref: string | null): Promise<void> {
  await tx.update(message).set({
    ref: ref === null ? message.ref : ref,
    sent_at: sql`coalesce(sent_at, now())`,
    state: sql`case when state in ('sending','waiting') then 'sent' else state end`,
    error: sql`case when state in ('sending','waiting') then null else error end`
  }).where(at(key))
}

/** `delivered` is final, `failed` can still become delivered. */
export async function settleMessage(
  tx: Db | Tx,
  key: MessageKey,
  { state, error, ref }: { state: 'delivered' | 'failed', error: string | null, ref: string | null }
): Promise<void> {
  await tx.update(message).set({
    state,
    error,
    ref: sql`coalesce(ref, ${ref})`,
    sent_at: sql`coalesce(sent_at, now())`,
    settled_at: sql`now()`
  }).where(and(at(key), sql`state not in ('delivered','refused')`, sql`(state <> 'failed' or ${state} = 'delivered')`))
}

export async function findMessage(db: Db | Tx, key: MessageKey): Promise<MessageRow | null> {
  const [row] = await db.select().from(message).where(at(key))
  return row ?? null
}

/** By the message's id, or by the provider's name for it. */
export async function findByName(
  db: Db | Tx,
  { clinic_id, name, via }: { clinic_id: string, name: string, via: Via }
): Promise<MessageRow | null> {
  const [row] = await db
    .select()
    .from(message)
    .where(and(
      eq(message.clinic_id, clinic_id),
      eq(message.via, via),
      sql`(${message.ref} = ${name} or ${message.id}::text = lower(${name}))`
    ))
    .orderBy(desc(message.created_at))
    .limit(1)
  return row ?? null
}

interface OfPatient { clinic_id: string, patient_id: string }

export const listOfPatient = (db: Db | Tx, { clinic_id, patient_id }: OfPatient, limit: number) =>
  db.select().from(message)
    .where(and(eq(message.clinic_id, clinic_id), eq(message.patient_id, patient_id)))
    .orderBy(desc(message.created_at), desc(message.id))
    .limit(limit)

export async function countOfPatient(db: Db, { clinic_id, patient_id }: OfPatient): Promise<number> {
  const [row] = await db.select({ n: count() }).from(message)
    .where(and(eq(message.clinic_id, clinic_id), eq(message.patient_id, patient_id)))
  return row!.n
}

/** The patient who last got a message at the number. */
export async function findPatientOf(
  db: Db | Tx,
  { clinic_id, macs }: { clinic_id: string, macs: Buffer[] }
): Promise<string | null> {
  const [row] = await db.select({ patient_id: message.patient_id }).from(message)
    .where(and(eq(message.clinic_id, clinic_id), inArray(message.number_mac, macs), isNotNull(message.patient_id)))
    .orderBy(desc(message.created_at))
    .limit(1)
  return row?.patient_id ?? null
}

/** Counts stay, for the reports; nothing of them leads to the patient. */
export async function forgetPatient(db: Db, { clinic_id, patient_id }: OfPatient): Promise<MessageRow[]> {
  const rows = await db.select().from(message)
    .where(and(eq(message.clinic_id, clinic_id), eq(message.patient_id, patient_id)))
  await db.update(message).set({ patient_id: null, number_mac: null, ref: null })
    .where(and(eq(message.clinic_id, clinic_id), eq(message.patient_id, patient_id)))
  return rows
}

/** Messages of Twilio whose price, or state, is not known yet. */
export const listToAsk = (db: Db, limit: number) =>
  db.select().from(message)
    .where(and(
      eq(message.via, 'twilio'),
      isNotNull(message.ref),
      isNull(message.price),
      lt(message.asked, 6),
      sql`created_at < now() - interval '10 minutes'`,
      sql`created_at > now() - interval '5 days'`
    ))
    .orderBy(message.asked, message.created_at)
    .limit(limit)

/** Messages that wait, and how old the oldest is, by clinic. */
export const listStuck = (db: Db) =>
  db.select({ clinic_id: message.clinic_id, n: count(), since: sql<Date>`min(created_at)` }).from(message)
    .where(and(inArray(message.state, ['sending', 'waiting']), sql`created_at < now() - interval '1 hour'`))
    .groupBy(message.clinic_id)

/** Of the last 24 hours, by channel and state. */
export const countByState = (db: Db) =>
  db.select({ channel: message.channel, state: message.state, n: count() }).from(message)
    .where(sql`created_at > now() - interval '1 day'`)
    .groupBy(message.channel, message.state)

export interface Period { clinic_id: string, from: string, to: string }

const within = ({ clinic_id, from, to }: Period) =>
  and(eq(message.clinic_id, clinic_id), sql`${message.day} between ${from}::text::date and ${to}::text::date`)

/** By channel and kind, for the reports. */
export const sumByKind = (db: Db, period: Period) =>
  db.select({
    channel: message.channel,
    kind: message.kind,
    sent: sql<number>`count(*) filter (where state in ('sent','delivered') or state = 'failed' and sent_at is not null)::int`,
    delivered: sql<number>`count(*) filter (where state = 'delivered')::int`,
    failed: sql<number>`count(*) filter (where state = 'failed')::int`,
    parts: sql<number>`coalesce(sum(parts) filter (where state in ('sent','delivered') or state = 'failed' and sent_at is not null), 0)::int`
  }).from(message).where(within(period)).groupBy(message.channel, message.kind).orderBy(message.channel, message.kind)

/** Prices by currency, in millionths. */
export const sumPrices = (db: Db, period: Period) =>
  db.select({
    currency: sql<string>`price_currency`,
    price: sql<string>`sum(price)::text`,
    priced: sql<number>`count(*)::int`
  }).from(message).where(and(within(period), isNotNull(message.price))).groupBy(sql`price_currency`).orderBy(sql`price_currency`)
