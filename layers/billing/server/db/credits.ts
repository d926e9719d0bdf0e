import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { sumParts, type Part } from '../../shared/domain/credit.ts'
import { invoice, invoiceLine } from './schema.ts'
import { columns, type InvoiceRow } from './invoices.ts'

/** What credit notes take off each line of an invoice. Drafts count too, so that no line is credited twice. */
export async function takenByLine(db: Db | Tx, credits_id: string): Promise<(line_id: string) => Part> {
  const { credits_line_id, quantity, price, tax } = invoiceLine
  const rows = await db
    .select({ line_id: credits_line_id, quantity, price, tax })
    .from(invoiceLine)
    .innerJoin(invoice, eq(invoice.id, invoiceLine.invoice_id))
    .where(and(eq(invoice.credits_id, credits_id), ne(invoice.status, 'cancelled')))
  return line_id => sumParts(rows.filter(row => row.line_id === line_id))
}

/** The credit notes of an invoice, oldest first. */
export async function listCreditNotes(db: Db | Tx, credits_id: string): Promise<InvoiceRow[]> {
  return await db
    .select(columns)
    .from(invoice)
    .where(eq(invoice.credits_id, credits_id))
    .orderBy(asc(invoice.created_at), asc(invoice.id))
}

/** Number and day of invoices, by id. */
export async function findCredited(
  db: Db | Tx,
  ids: string[]
): Promise<Map<string, Pick<InvoiceRow, 'id' | 'number' | 'issued_on'>>> {
  if (ids.length === 0) return new Map()
  const { id, number, issued_on } = invoice
  const rows = await db.select({ id, number, issued_on }).from(invoice).where(inArray(id, ids))
  return new Map(rows.map(row => [row.id, row]))
}
