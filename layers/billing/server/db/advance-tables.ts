import { sql } from 'drizzle-orm'
import { check, date, foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { PaymentMethod } from '../../shared/domain/invoice-state.ts'
import { instant, minor, type Issuer } from './columns.ts'

/**
 * A payment that came before its invoice. A recorded advance never changes, except `balance` and `returned`: triggers
 * update them from payments of an invoice, their reversals, and returns, so that no cent is used twice.
 */
export const advance = pgTable('billing_advance', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  /** The receipt's number. A clinic's numbers have no gaps. */
  number: text().notNull(),
  /** The version that was paid for. The advance also applies to the invoice of another version of this number. */
  budget_id: uuid().notNull(),
  budget_number: text().notNull(),
  patient_id: uuid().notNull(),
  patient_first_name: text().notNull(),
  patient_last_name: text().notNull(),
  currency: text().notNull(),
  locale: text().notNull(),
  /** In minor units. */
  amount: minor('amount').notNull(),
  /** Neither applied to an invoice nor returned. */
  balance: minor('balance').notNull(),
  returned: minor('returned').notNull().default(sql`0`),
  method: text().$type<PaymentMethod>().notNull(),
  /** The payment's reference at the bank or provider. */
  reference: text(),
  note: text(),
  paid_at: instant('paid_at').notNull(),
  issued_at: instant('issued_at').notNull(),
  /** The day of `issued_at` in the clinic's zone. */
  issued_on: date({ mode: 'string' }).notNull(),
  issuer: jsonb().$type<Issuer>().notNull(),
  created_by: uuid(),
  created_at: instant('created_at').notNull().defaultNow(),
  /** Set when the patient's data was erased: the stored receipt, and the SHA-256 of its bytes in hex. */
  held_file: text(),
  held_sha256: text(),
  /** Increases with each change of the balance; the ETag. */
  edit: integer().notNull().default(1)
}, t => [
  unique('billing_advance_number').on(t.clinic_id, t.number),
  index('billing_advance_list').on(t.clinic_id, t.paid_at.desc(), t.id.desc()),
  index('billing_advance_budget').on(t.clinic_id, t.budget_number, t.paid_at, t.id),
  index('billing_advance_patient').on(t.clinic_id, t.patient_id, t.paid_at.desc(), t.id.desc()),
  index('billing_advance_open').on(t.clinic_id, t.paid_at.desc(), t.id.desc()).where(sql`balance > 0`),
  index('billing_advance_held_file').on(t.number, t.id).where(sql`held_file is not null`),
  check('billing_advance_money', sql`amount > 0 and balance >= 0 and returned >= 0 and balance + returned <= amount`),
  check('billing_advance_method_known', sql`method in ('cash','card','transfer','other')`),
  check('billing_advance_held', sql`(held_file is null) = (held_sha256 is null)`)
])

/** An amount that was returned, that bounced, or that was a mistake. An advance can be returned in parts. */
export const advanceReversal = pgTable('billing_advance_reversal', {
  id: uuid().primaryKey().defaultRandom(),
  advance_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  amount: minor('amount').notNull(),
  /** Null once the patient's data was erased. */
  reason: text(),
  reversed_at: instant('reversed_at').notNull().defaultNow(),
  reversed_by: uuid()
}, t => [
  index('billing_advance_reversal_advance').on(t.advance_id),
  check('billing_advance_reversal_amount', sql`amount > 0`),
  foreignKey({ name: 'billing_advance_reversal_advance', columns: [t.advance_id], foreignColumns: [advance.id] })
])
