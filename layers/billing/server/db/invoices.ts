import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import type { InvoiceStatus } from '../domain/invoice-status.ts'
import { invoice, invoiceLine, payment } from './schema.ts'

export type InvoiceRow = typeof invoice.$inferSelect
export type LineRow = typeof invoiceLine.$inferSelect
export type NewInvoice = typeof invoice.$inferInsert
export type NewLine = Omit<typeof invoiceLine.$inferInsert, 'invoice_id'>
export interface Filter { clinic_id: string, status?: InvoiceStatus[], patient_id?: string, budget_id?: string }

/** Spelled as the index is, nulls and all: PostgreSQL walks it only in the order that it has. */
const NEWEST_FIRST = [sql`${desc(invoice.created_at)} nulls last`, sql`${desc(invoice.id)} nulls last`]

/** Null when the budget has its invoice already. Of two at once the second waits for the first. */
export async function insertInvoice(tx: Tx, row: NewInvoice, lines: NewLine[]): Promise<string | null> {
  const [inserted] = await tx.insert(invoice).values(row)
    .onConflictDoNothing({ target: [invoice.clinic_id, invoice.budget_id] }).returning({ id: invoice.id })
  if (!inserted) return null
  if (lines.length > 0) await tx.insert(invoiceLine).values(lines.map(line => ({ ...line, invoice_id: inserted.id })))
  return inserted.id
}

export async function findInvoice(db: Db, { clinic_id, id }: { clinic_id: string, id: string }): Promise<InvoiceRow | null> {
  const [row] = await db.select().from(invoice).where(and(eq(invoice.clinic_id, clinic_id), eq(invoice.id, id)))
  return row ?? null
}

export async function listLines(db: Db, invoice_id: string): Promise<LineRow[]> {
  return await db.select().from(invoiceLine).where(eq(invoiceLine.invoice_id, invoice_id)).orderBy(asc(invoiceLine.position))
}

/** Minor units paid, per invoice; one without a payment is left out. */
export async function sumPayments(db: Db, ids: string[]): Promise<Map<string, bigint>> {
  if (ids.length === 0) return new Map()
  const rows = await db.select({ id: payment.invoice_id, paid: sql<string>`sum(${payment.amount})::text` }).from(payment)
    .where(inArray(payment.invoice_id, ids)).groupBy(payment.invoice_id)
  return new Map(rows.map(row => [row.id, BigInt(row.paid)]))
}

export async function selectInvoices(db: Db, filter: Filter, { page, page_size }: { page: number, page_size: number }): Promise<{ rows: InvoiceRow[], total: number }> {
  const where = and(
    eq(invoice.clinic_id, filter.clinic_id),
    filter.status && inArray(invoice.status, filter.status),
    filter.patient_id ? eq(invoice.patient_id, filter.patient_id) : undefined,
    filter.budget_id ? eq(invoice.budget_id, filter.budget_id) : undefined)
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(invoice).where(where),
    db.select().from(invoice).where(where).orderBy(...NEWEST_FIRST).limit(page_size).offset((page - 1) * page_size)
  ])
  return { rows, total: counted!.total }
}

/** Invoices that stand, by the month in the zone in which they were issued, or drafted as long as they are drafts. Days are inclusive. */
export async function sumByMonth(db: Db, { clinic_id, from, to, time_zone }: { clinic_id: string, from: string, to: string, time_zone: string }): Promise<{ month: string, count: number, amount: bigint }[]> {
  const day = sql`(coalesce(${invoice.issued_at}, ${invoice.created_at}) at time zone ${time_zone})::date`
  const rows = await db
    .select({ month: sql<string>`to_char(${day}, 'YYYY-MM')`, count: sql<number>`count(*)::int`, amount: sql<string>`sum(${invoice.total})::text` })
    .from(invoice)
    .where(and(eq(invoice.clinic_id, clinic_id), sql`${invoice.status} <> 'cancelled'`, sql`${day} between ${from}::date and ${to}::date`))
    .groupBy(sql`1`).orderBy(sql`1`)
  return rows.map(row => ({ ...row, amount: BigInt(row.amount) }))
}
