import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { columns, type InvoiceRow, type LineRow } from './invoices.ts'
import { conditions, source, type ListFilter } from './list.ts'
import { invoice, invoiceLine } from './schema.ts'

/** `reasonOfIssued` of services/issuer.ts in SQL. */
const isProForma
  = sql`${invoice.number} is not null and (${invoice.pro_forma_reason} is not null or ${invoice.issuer} @> '{"tax_number": null}')`

/** All lines of the list's pro formas, oldest first, packed for `idBatches` of the kit. */
export async function packProFormaLineIds(db: Db, filter: ListFilter): Promise<Uint8Array> {
  const order = sql`${invoice.issued_at}, length(${invoice.number}), ${invoice.number}, ${invoiceLine.position}`
  const packed = sql<Buffer>`string_agg(uuid_send(${invoiceLine.id}), ''::bytea order by ${order})`
  const [row] = await db
    .select({ packed })
    .from(source(filter))
    .innerJoin(invoiceLine, eq(invoiceLine.invoice_id, invoice.id))
    .where(and(conditions(filter), isProForma))
  return row!.packed ?? Buffer.alloc(0)
}

export interface ListedLine { line: LineRow, invoice: InvoiceRow }

/** With their invoices, in no particular order. */
export async function findLines(
  db: Db,
  { clinic_id, ids }: { clinic_id: string, ids: string[] }
): Promise<ListedLine[]> {
  return await db
    .select({ line: invoiceLine, invoice: columns })
    .from(invoiceLine)
    .innerJoin(invoice, eq(invoice.id, invoiceLine.invoice_id))
    .where(and(eq(invoiceLine.clinic_id, clinic_id), inArray(invoiceLine.id, ids)))
}
