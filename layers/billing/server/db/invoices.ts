import { and, asc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
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
 * Null if `row` is an invoice that was not split from another one, and the budget already has such an invoice. Of two
 * concurrent calls, the second waits for the first.
 */
export async function insertInvoice(tx: Tx, row: NewInvoice, lines: NewLine[]): Promise<string | null> {
  const [inserted] = await tx.insert(invoice).values(row).onConflictDoNothing({
    target: [invoice.clinic_id, invoice.budget_id],
    where: sql`kind = 'invoice' and split_from_id is null`
  }).returning({ id: invoice.id })
  if (!inserted) return null
  await insertLines(tx, inserted.id, lines)
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

const OF_BUDGET = [
  'clinic_id', 'budget_id', 'budget_number', 'budget_version', 'patient_id', 'patient_first_name', 'patient_last_name',
  'currency', 'locale'
] as const satisfies readonly (keyof InvoiceRow)[]

/** What all documents of a budget have in common. */
export const ofSameBudget = (row: InvoiceRow) =>
  Object.fromEntries(OF_BUDGET.map(name => [name, row[name]])) as Pick<InvoiceRow, typeof OF_BUDGET[number]>

export interface BudgetKey { clinic_id: string, budget_id: string }
const ofBudget = ({ clinic_id, budget_id }: BudgetKey) =>
  and(eq(invoice.clinic_id, clinic_id), eq(invoice.budget_id, budget_id), eq(invoice.kind, 'invoice'))
const OLDEST_FIRST = [asc(invoice.created_at), asc(invoice.id)]

/** The invoices of a version of a budget in any state, without credit notes, oldest first. */
export async function listInvoicesOfBudget(db: Db | Tx, key: BudgetKey): Promise<InvoiceRow[]> {
  return await db.select(columns).from(invoice).where(ofBudget(key)).orderBy(...OLDEST_FIRST)
}

/** The drafts of a version of a budget, oldest first, locked. */
export async function listDraftsLocked(tx: Tx, key: BudgetKey): Promise<InvoiceRow[]> {
  return await tx
    .select(columns)
    .from(invoice)
    .where(and(ofBudget(key), eq(invoice.status, 'draft')))
    .orderBy(...OLDEST_FIRST)
    .for('update')
}

/** Whether the budget has an issued invoice that was neither cancelled nor credited in full. */
export async function hasIssued(db: Db | Tx, key: BudgetKey): Promise<boolean> {
  const rows = await db
    .select({ id: invoice.id })
    .from(invoice)
    .where(and(ofBudget(key), inArray(invoice.status, ['issued', 'paid'])))
    .limit(1)
  return rows.length > 0
}

/** The issued invoices of a budget's number that are not paid yet, oldest first, locked. */
export async function listDueInvoices(
  tx: Tx,
  { clinic_id, budget_number }: { clinic_id: string, budget_number: string }
): Promise<InvoiceRow[]> {
  return await tx
    .select(columns)
    .from(invoice)
    .where(and(
      eq(invoice.clinic_id, clinic_id),
      eq(invoice.budget_number, budget_number),
      eq(invoice.kind, 'invoice'),
      eq(invoice.status, 'issued')
    ))
    .orderBy(asc(invoice.issued_at), asc(invoice.id))
    .for('update')
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

export async function insertLines(tx: Tx, invoice_id: string, lines: NewLine[]): Promise<void> {
  if (lines.length > 0) await tx.insert(invoiceLine).values(lines.map(line => ({ ...line, invoice_id })))
}

export async function updateLine(tx: Tx, id: string, change: Partial<typeof invoiceLine.$inferInsert>): Promise<void> {
  await tx.update(invoiceLine).set(change).where(eq(invoiceLine.id, id))
}

/** The lines of a budget's invoices in any status, without credit notes. */
export async function listLinesOfBudget(
  db: Db | Tx,
  key: BudgetKey
): Promise<(Pick<InvoiceRow, 'status' | 'number'> & { line: LineRow })[]> {
  const { status, number } = invoice
  return await db
    .select({ line: invoiceLine, status, number })
    .from(invoice)
    .innerJoin(invoiceLine, eq(invoiceLine.invoice_id, invoice.id))
    .where(ofBudget(key))
}
