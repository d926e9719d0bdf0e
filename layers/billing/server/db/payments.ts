import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { advance, invoice, payment, paymentReversal } from './schema.ts'

/** `reversal`: why and when the payment was reversed. `receipt`: the receipt's number of its advance. */
export type PaymentRow = typeof payment.$inferSelect & {
  reversal: typeof paymentReversal.$inferSelect | null
  receipt: string | null
}
export type NewPayment = typeof payment.$inferInsert

/** Null if the id is taken. */
export async function insertPayment(tx: Tx, row: NewPayment): Promise<{ id: string } | null> {
  const [inserted] = await tx.insert(payment).values(row).onConflictDoNothing({ target: payment.id }).returning()
  return inserted ?? null
}

export async function listPayments(db: Db | Tx, invoice_id: string): Promise<PaymentRow[]> {
  return await db
    .select({ ...getTableColumns(payment), reversal: paymentReversal, receipt: advance.number })
    .from(payment)
    .leftJoin(paymentReversal, eq(paymentReversal.payment_id, payment.id))
    .leftJoin(advance, eq(advance.id, payment.advance_id))
    .where(eq(payment.invoice_id, invoice_id))
    .orderBy(asc(payment.paid_at), asc(payment.created_at), asc(payment.id))
}

/** With the data of their invoices, in no particular order. */
export async function findPayments(db: Db, { clinic_id, ids }: { clinic_id: string, ids: string[] }) {
  const { number, budget_number, patient_id, patient_first_name, patient_last_name, currency } = invoice
  return await db
    .select({
      payment,
      reversal: paymentReversal,
      receipt: advance.number,
      invoice: { number, budget_number, patient_id, patient_first_name, patient_last_name, currency }
    })
    .from(payment)
    .innerJoin(invoice, eq(invoice.id, payment.invoice_id))
    .leftJoin(paymentReversal, eq(paymentReversal.payment_id, payment.id))
    .leftJoin(advance, eq(advance.id, payment.advance_id))
    .where(and(eq(payment.clinic_id, clinic_id), inArray(payment.id, ids)))
}

export async function insertReversal(tx: Tx, row: typeof paymentReversal.$inferInsert): Promise<void> {
  await tx.insert(paymentReversal).values(row)
}

/** Returns how many payments had one. The database refuses it unless the patient's data was erased. */
export async function emptyNotes(tx: Db | Tx, invoice_id: string): Promise<number> {
  const rows = await tx
    .update(payment)
    .set({ note: null })
    .where(and(eq(payment.invoice_id, invoice_id), isNotNull(payment.note)))
    .returning({ id: payment.id })
  return rows.length
}

/** The same for the reasons of reversals. */
export async function emptyReasons(tx: Db | Tx, invoice_id: string): Promise<number> {
  const rows = await tx
    .update(paymentReversal)
    .set({ reason: null })
    .where(and(eq(paymentReversal.invoice_id, invoice_id), isNotNull(paymentReversal.reason)))
    .returning({ id: paymentReversal.payment_id })
  return rows.length
}

/** The minor units that were paid and not reversed, and how many of them come from advances. */
export interface Paid { paid: bigint, in_advance: bigint }
export const NOTHING_PAID: Paid = { paid: 0n, in_advance: 0n }

/** By invoice. Invoices without such a payment are missing. */
export async function sumPayments(db: Db, ids: string[]): Promise<Map<string, Paid>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: payment.invoice_id,
      paid: sql<string>`sum(${payment.amount})::text`,
      in_advance: sql<string>`
        coalesce(sum(${payment.amount}) filter (where ${payment.advance_id} is not null), 0)::text`
    })
    .from(payment)
    .leftJoin(paymentReversal, eq(paymentReversal.payment_id, payment.id))
    .where(and(inArray(payment.invoice_id, ids), isNull(paymentReversal.payment_id)))
    .groupBy(payment.invoice_id)
  return new Map(rows.map(row => [row.id, { paid: BigInt(row.paid), in_advance: BigInt(row.in_advance) }]))
}
