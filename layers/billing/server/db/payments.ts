import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { payment } from './schema.ts'

export type PaymentRow = typeof payment.$inferSelect
export type NewPayment = typeof payment.$inferInsert

/** Null when the id is taken. */
export async function insertPayment(tx: Tx, row: NewPayment): Promise<PaymentRow | null> {
  const [inserted] = await tx.insert(payment).values(row).onConflictDoNothing({ target: payment.id }).returning()
  return inserted ?? null
}

export async function listPayments(db: Db | Tx, invoice_id: string): Promise<PaymentRow[]> {
  return await db
    .select()
    .from(payment)
    .where(eq(payment.invoice_id, invoice_id))
    .orderBy(asc(payment.paid_at), asc(payment.created_at), asc(payment.id))
}

/** How many had one. Only of an erased patient: the database refuses any other. */
export async function emptyNotes(tx: Db | Tx, invoice_id: string): Promise<number> {
  const rows = await tx
    .update(payment)
    .set({ note: null })
    .where(and(eq(payment.invoice_id, invoice_id), isNotNull(payment.note)))
    .returning({ id: payment.id })
  return rows.length
}

/** Minor units paid, per invoice; one without a payment is left out. */
export async function sumPayments(db: Db, ids: string[]): Promise<Map<string, bigint>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: payment.invoice_id, paid: sql<string>`sum(${payment.amount})::text` })
    .from(payment)
    .where(inArray(payment.invoice_id, ids))
    .groupBy(payment.invoice_id)
  return new Map(rows.map(row => [row.id, BigInt(row.paid)]))
}
