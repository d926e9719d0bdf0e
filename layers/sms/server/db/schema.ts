import { sql } from 'drizzle-orm'
import { bigint, check, customType, date, index, integer, pgTable, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import type { ChannelName, MessageState, StopCause } from '../../shared/contract.ts'
import type { Encoding } from '../../shared/domain/segments.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export type Via = 'twilio' | 'http' | 'file'

/** One message: neither its text nor its number. */
export const message = pgTable('sms_message', {
  /** The caller's id: an attempt that comes again finds its row. */
  id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  channel: text().$type<ChannelName>().notNull(),
  kind: text().notNull(),
  via: text().$type<Via>().notNull(),
  /** Null if the caller named no patient, and once the patient's data was erased; so is `number_mac`. */
  patient_id: uuid(),
  /** Keyed hash of the number, by which an answer finds its patient. */
  number_mac: bytea('number_mac'),
  /** `sending`: the provider may have it. `waiting`: it doesn't, and the message is sent again. */
  state: text().$type<MessageState>().notNull(),
  /** The provider's number of the error, or a word of ours. */
  error: text(),
  encoding: text().$type<Encoding>().notNull(),
  parts: integer().notNull(),
  /** The provider's name for the message, without the clinic's id. */
  ref: text(),
  /** Millionths of the currency, as the provider reported it. */
  price: bigint({ mode: 'bigint' }),
  price_currency: text(),
  /** Calls without a usable answer to a provider that can't be asked whether it has the message. */
  unconfirmed: integer().notNull().default(0),
  /** How often the provider was asked for price and state. */
  asked: integer().notNull().default(0),
  /** The day in the clinic's zone against whose limit it counts. */
  day: date({ mode: 'string' }).notNull(),
  created_at: instant('created_at').notNull().defaultNow(),
  sent_at: instant('sent_at'),
  settled_at: instant('settled_at')
}, t => [
  index('sms_message_of_clinic').on(t.clinic_id, t.created_at),
  index('sms_message_of_patient').on(t.clinic_id, t.patient_id, t.created_at.desc()),
  index('sms_message_of_number').on(t.clinic_id, t.number_mac).where(sql`number_mac is not null`),
  index('sms_message_of_ref').on(t.clinic_id, t.ref).where(sql`ref is not null`),
  index('sms_message_open').on(t.created_at).where(sql`state in ('sending','waiting')`),
  index('sms_message_to_ask').on(t.created_at).where(sql`via = 'twilio' and ref is not null and price is null and asked < 6`),
  check('sms_message_state_known', sql`state in ('sending','waiting','sent','delivered','failed','refused')`),
  check('sms_message_channel_known', sql`channel in ('sms','whatsapp')`),
  check('sms_message_parts', sql`parts > 0`)
])

/** Messages of one day against the clinic's limit. The row's lock keeps parallel messages within it. */
export const day = pgTable('sms_day', {
  clinic_id: uuid().notNull(),
  day: date({ mode: 'string' }).notNull(),
  sent: integer().notNull().default(0),
  refused: integer().notNull().default(0)
}, t => [primaryKey({ name: 'sms_day_pkey', columns: [t.clinic_id, t.day] })])

/** A number that gets no more messages by a channel until staff turn it on again. */
export const stop = pgTable('sms_stop', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  channel: text().$type<ChannelName>().notNull(),
  number_mac: bytea('number_mac').notNull(),
  patient_id: uuid(),
  cause: text().$type<StopCause>().notNull(),
  /** The provider's number of the error. */
  error: text(),
  stopped_at: instant('stopped_at').notNull().defaultNow()
}, t => [
  unique('sms_stop_number').on(t.clinic_id, t.channel, t.number_mac),
  index('sms_stop_patient').on(t.clinic_id, t.patient_id),
  check('sms_stop_cause_known', sql`cause in ('answer','provider','staff')`)
])

/** A clinic whose provider refuses or does not answer. */
export const failing = pgTable('sms_failing', {
  clinic_id: uuid().primaryKey(),
  since: instant('since').notNull().defaultNow(),
  error: text().notNull()
})
