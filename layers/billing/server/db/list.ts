import { and, asc, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { InvoiceSort } from '../../shared/contract.ts'
import type { InvoiceStatus } from '../../shared/domain/invoice-state.ts'
import type { InvoiceRow } from './invoices.ts'
import { invoice, payment, signedTotal } from './schema.ts'

export interface ListFilter {
  clinic_id: string
  status?: InvoiceStatus[]
  patient_id?: string
  budget_id?: string
  /** Words of a number or a name, or their beginnings. All of them must match. */
  search?: string | null
}

const { id, created_at, issued_at, number } = invoice
const total = sql`(${signedTotal})`
const { words, ...columns } = getTableColumns(invoice)
const year = sql`left(${number}, 8)`
const length = sql`length(${number})`
const nullsFirst = (order: SQL) => sql`${order} nulls first`
const nullsLast = (order: SQL) => sql`${order} nulls last`

const BY_NUMBER = [asc(year), asc(length), asc(number), asc(id)]
const BY_NUMBER_DOWN = [desc(year), desc(length), desc(number), desc(id)].map(nullsLast)
/** A later number of a range never has an earlier time. */
const BY_ISSUE = [asc(issued_at), asc(length), asc(number), asc(id)]
const BY_ISSUE_DOWN = [desc(issued_at), desc(length), desc(number), desc(id)].map(nullsLast)

/**
 * Written exactly like the indexes, including the order of nulls, because PostgreSQL scans an index only in its own
 * order or the exact reverse.
 */
const ORDERS: Record<InvoiceSort, SQL[]> = {
  'created_at': [asc(created_at), asc(id)].map(nullsFirst),
  '-created_at': [desc(created_at), desc(id)].map(nullsLast),
  'number': BY_NUMBER,
  '-number': BY_NUMBER_DOWN,
  'issued_at': BY_ISSUE,
  '-issued_at': BY_ISSUE_DOWN,
  'total': [asc(total), asc(id)],
  '-total': [desc(total), desc(id)]
}

/** All ids of the list, in order, packed for `idBatches` of the kit. */
export async function packInvoiceIds(db: Db, filter: ListFilter, sort: InvoiceSort): Promise<Uint8Array> {
  const packed = sql<Buffer>`string_agg(uuid_send(${id}), ''::bytea order by ${sql.join(ORDERS[sort], sql`, `)})`
  const [row] = await db.select({ packed }).from(source(filter)).where(conditions(filter))
  return row!.packed ?? Buffer.alloc(0)
}

/** In no particular order. */
export async function findInvoices(
  db: Db,
  { clinic_id, ids }: { clinic_id: string, ids: string[] }
): Promise<InvoiceRow[]> {
  return await db.select(columns).from(invoice).where(and(eq(invoice.clinic_id, clinic_id), inArray(id, ids)))
}

/** The payments of the list's invoices, oldest first. */
export async function packPaymentIds(db: Db, filter: ListFilter): Promise<Uint8Array> {
  const order = sql`${payment.paid_at}, ${payment.created_at}, ${payment.id}`
  const packed = sql<Buffer>`string_agg(uuid_send(${payment.id}), ''::bytea order by ${order})`
  const [row] = await db
    .select({ packed })
    .from(source(filter))
    .innerJoin(payment, eq(payment.invoice_id, id))
    .where(conditions(filter))
  return row!.packed ?? Buffer.alloc(0)
}

/** Reads the ids of the page from an index, and then only these rows. */
export async function listPage(
  db: Db,
  filter: ListFilter,
  { sort, page, page_size }: { sort: InvoiceSort, page: number, page_size: number }
): Promise<InvoiceRow[]> {
  const ids = db
    .select({ id: sql<string>`${id}`.as('listed_id') })
    .from(source(filter))
    .where(conditions(filter))
    .orderBy(...ORDERS[sort])
    .limit(page_size)
    .offset((page - 1) * page_size)
    .as('page')
  return await db
    .select(columns)
    .from(ids)
    .innerJoin(invoice, eq(invoice.id, ids.id))
    .orderBy(...ORDERS[sort])
}

/** By state. States without invoices are missing. */
export async function countByStatus(db: Db, filter: ListFilter): Promise<Map<InvoiceStatus, number>> {
  const status = sql<InvoiceStatus>`${invoice.status}`
  const rows = await db
    .select({ status, n: sql<number>`count(*)::int` })
    .from(source(filter))
    .where(conditions(filter))
    .groupBy(status)
  return new Map(rows.map(row => [row.status, row.n]))
}

/**
 * The invoices that match the search, or all of them without one. `offset 0` keeps PostgreSQL from scanning the whole
 * order in the expectation of finding a page of matches soon.
 */
export function source({ clinic_id, search }: ListFilter): SQL {
  const query = search ? wordsQuery(search) : null
  if (!query) return sql`${invoice}`
  return sql`(select * from ${invoice} where ${invoice.clinic_id} = ${clinic_id} and ${words} @@ ${query}::tsquery offset 0) as "billing_invoice"`
}

export const conditions = ({ clinic_id, status, patient_id, budget_id }: ListFilter): SQL | undefined => and(
  eq(invoice.clinic_id, clinic_id),
  status && (status.length === 1 ? eq(invoice.status, status[0]!) : inArray(invoice.status, status)),
  patient_id ? eq(invoice.patient_id, patient_id) : undefined,
  budget_id ? eq(invoice.budget_id, budget_id) : undefined)

/**
 * PostgreSQL refuses words of more than 2046 bytes, and NFKD makes up to 18 bytes of one character. A truncated word
 * still matches as a prefix.
 */
const MAX_WORD_LENGTH = 600

/** `Núñez 0012` → `'nunez':* & '0012':*`, each word as a prefix. Null for a search without words. */
function wordsQuery(search: string): string | null {
  const asked = search
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
  return asked.length === 0
    ? null
    : asked.map(word => `'${word.slice(0, MAX_WORD_LENGTH).replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}
