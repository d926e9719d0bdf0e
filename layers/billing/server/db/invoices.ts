import { and, asc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { invoice, invoiceLine } from './schema.ts'

const { words: _, ...all } = getTableColumns(invoice)
/** All but those that only the search needs. */
export const columns = all

export type InvoiceRow = Omit<typeof invoice.$inferSelect, 'words'>
export type LineRow = typeof invoiceLine.$inferSelect
export type NewInvoice = typeof invoice.$inferInsert
export type NewLine = Omit<typeof invoiceLine.$inferInsert, 'invoice_id'>
export interface InvoiceKey { clinic_id: string, id: string }

/** Every patient has a name until their data is erased. */
export const isErased = (
  { patient_first_name, patient_last_name }: Pick<InvoiceRow, 'patient_first_name' | 'patient_last_name'>
) =>
  patient_first_name === '' && patient_last_name === ''

/**
 * Null if `row` is an invoice, and the budget already has one. Of two concurrent calls, the second waits for the first.
 */
export async function insertInvoice(tx: Tx, row: NewInvoice, lines: NewLine[]): Promise<string | null> {
  const [inserted] = await tx.insert(invoice).values(row)
    .onConflictDoNothing({ target: [invoice.clinic_id, invoice.budget_id], where: sql`kind = 'invoice'` }).returning({ id: invoice.id })
  if (!inserted) return null
  if (lines.length > 0) await tx.insert(invoiceLine).values(lines.map(line => ({ ...line, invoice_id: inserted.id })))
  return inserted.id
}

const keyed = ({ clinic_id, id }: InvoiceKey) => and(eq(invoice.clinic_id, clinic_id), eq(invoice.id, id))

export async function findInvoice(db: Db | Tx, key: InvoiceKey): Promise<InvoiceRow | null> {
  const [row] = await db.select(columns).from(invoice).where(keyed(key))
  return row ?? null
}

/** Locked: each change and payment locks the row first, and so sees the result of the previous one. */
export async function findInvoiceLocked(tx: Tx, key: InvoiceKey): Promise<InvoiceRow | null> {
  const [row] = await tx.select(columns).from(invoice).where(keyed(key)).for('update')
  return row ?? null
}

/** Of a budget, which has at most one invoice, without its credit notes. */
export async function findInvoiceIdOf(
  db: Db | Tx,
  { clinic_id, budget_id }: { clinic_id: string, budget_id: string }
): Promise<string | null> {
  const [row] = await db
    .select({ id: invoice.id })
    .from(invoice)
    .where(and(eq(invoice.clinic_id, clinic_id), eq(invoice.budget_id, budget_id), eq(invoice.kind, 'invoice')))
  return row?.id ?? null
}

/** The same by budget, which has at most one invoice, without its credit notes. */
export async function findInvoiceOfBudget(
  tx: Tx,
  { clinic_id, budget_id }: { clinic_id: string, budget_id: string }
): Promise<InvoiceRow | null> {
  const [row] = await tx
    .select(columns)
    .from(invoice)
    .where(and(
      eq(invoice.clinic_id, clinic_id),
      eq(invoice.budget_id, budget_id),
      eq(invoice.kind, 'invoice')
    ))
    .for('update')
  return row ?? null
}

/** The issued invoice of a budget's number that is not paid yet, locked. */
export async function findDueInvoice(
  tx: Tx,
  { clinic_id, budget_number }: { clinic_id: string, budget_number: string }
): Promise<InvoiceRow | null> {
  const [row] = await tx
    .select(columns)
    .from(invoice)
    .where(and(
      eq(invoice.clinic_id, clinic_id),
      eq(invoice.budget_number, budget_number),
      eq(invoice.kind, 'invoice'),
      eq(invoice.status, 'issued')
    ))
    .orderBy(asc(invoice.issued_at), asc(invoice.id))
    .limit(1)
    .for('update')
  return row ?? null
}

/** The invoices of patients whose data was erased. */
export async function listHeld(db: Db): Promise<InvoiceRow[]> {
  return await db
    .select(columns)
    .from(invoice)
    .where(isNotNull(invoice.held_file))
    .orderBy(asc(invoice.number), asc(invoice.id))
}

/** Locked, by number; drafts last. */
export async function listInvoicesOf(
  tx: Db | Tx,
  { clinic_id, patient_id }: { clinic_id: string, patient_id: string }
): Promise<InvoiceRow[]> {
  return await tx
    .select(columns)
    .from(invoice)
    .where(and(eq(invoice.clinic_id, clinic_id), eq(invoice.patient_id, patient_id)))
    .orderBy(asc(invoice.number), asc(invoice.id))
    .for('update')
}

export async function updateInvoice(tx: Db | Tx, id: string, change: Partial<NewInvoice>): Promise<void> {
  await tx
    .update(invoice)
    .set({ ...change, edit: sql`${invoice.edit} + 1`, updated_at: sql`now()` })
    .where(eq(invoice.id, id))
}

export async function listLines(db: Db | Tx, invoice_id: string): Promise<LineRow[]> {
  return await db
    .select()
    .from(invoiceLine)
    .where(eq(invoiceLine.invoice_id, invoice_id))
    .orderBy(asc(invoiceLine.position))
}
