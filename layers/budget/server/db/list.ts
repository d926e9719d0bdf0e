import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '@svc/kit'
import type { Attention } from '../../shared/domain/attention.ts'
import type { Status } from '../../shared/domain/budget-state.ts'
import { asksFor, hasOpenQuestion, lockedIds } from './attention.ts'
import { budget, budgetLink } from './schema.ts'
import { isOver, overIds, statusNow } from './state-now.ts'

export interface ListFilter {
  clinic_id: string
  status?: Status[]
  patient_id?: string
  professional_id?: string
  /** Words of the number or the name, or their beginnings. All of them must match. */
  search?: string | null
  /** `YYYY-MM-DD` or an instant. */
  expires_before?: string
  locked?: boolean
  attention?: Attention
  /** Only these budgets. */
  ids?: string[]
}
export type ListOrder = `${'' | '-'}${'created_at' | 'number' | 'total' | 'valid_until' | 'sent_at' | 'decided_at'}`

export type ListedBudget = Awaited<ReturnType<typeof listPage>>[number]

const nullsFirst = (order: SQL) => sql`${order} nulls first`
const nullsLast = (order: SQL) => sql`${order} nulls last`
const { id, created_at, number, version, total, valid_until, sent_at, decided_at } = budget
const year = sql`left(${number}, 9)`
const length = sql`length(${number})`

/**
 * Written exactly like the indexes, including the order of nulls, because PostgreSQL scans an index only in its own
 * order or the exact reverse.
 */
const ORDERS: Record<ListOrder, SQL[]> = {
  'created_at': [nullsFirst(asc(created_at)), nullsFirst(asc(id))],
  '-created_at': [nullsLast(desc(created_at)), nullsLast(desc(id))],
  'number': [asc(year), asc(length), asc(number), asc(version), asc(id)],
  '-number': [desc(year), desc(length), desc(number), desc(version), desc(id)],
  'total': [asc(total), asc(id)],
  '-total': [desc(total), desc(id)],
  'valid_until': [asc(valid_until), asc(id)],
  '-valid_until': [nullsLast(desc(valid_until)), desc(id)],
  'sent_at': [asc(sent_at), asc(id)],
  '-sent_at': [nullsLast(desc(sent_at)), nullsLast(desc(id))],
  'decided_at': [asc(decided_at), asc(id)],
  '-decided_at': [nullsLast(desc(decided_at)), nullsLast(desc(id))]
}

/**
 * Orders in which rows without the instant come last, while a reverse scan of the index has them first. So the clinic's
 * rows are read in two parts, one after the other.
 */
const PARTED: Partial<Record<ListOrder, { column: PgColumn, walk: SQL[] }>> = {
  '-valid_until': { column: valid_until, walk: [desc(valid_until), desc(id)] },
  'sent_at': { column: sent_at, walk: [nullsFirst(asc(sent_at)), nullsFirst(asc(id))] },
  'decided_at': { column: decided_at, walk: [nullsFirst(asc(decided_at)), nullsFirst(asc(id))] }
}

interface Page { sort: ListOrder, page: number, page_size: number }

/** All ids of the list, in order, packed for `idBatches` of the kit. */
export async function packBudgetIds(db: Db, filter: ListFilter, sort: ListOrder): Promise<Uint8Array> {
  const { from, where } = rowsOf(filter, sort, null)
  const packed = sql<Buffer>`string_agg(uuid_send(${id}), ''::bytea order by ${sql.join(ORDERS[sort], sql`, `)})`
  const [row] = await db.select({ packed }).from(from).where(where)
  return row!.packed ?? Buffer.alloc(0)
}

/**
 * Reads the ids of the page from an index, and then only these rows, so that page 500 costs hardly more than page 1.
 */
export async function listPage(db: Db, filter: ListFilter, { sort, page, page_size }: Page) {
  const { from, where } = rowsOf(filter, sort, page * page_size)
  const ids = db.select({ id: sql<string>`${id}`.as('listed_id') }).from(from).where(where)
    .orderBy(...ORDERS[sort]).limit(page_size).offset((page - 1) * page_size).as('page')
  return await db
    .select({
      id,
      number,
      version,
      status: statusNow(filter.clinic_id),
      patient_id: budget.patient_id,
      patient_first_name: budget.patient_first_name,
      patient_last_name: budget.patient_last_name,
      professional_id: budget.professional_id,
      professional_name: budget.professional_name,
      currency: budget.currency,
      total,
      price_from: budget.price_from,
      price_to: budget.price_to,
      valid_until,
      expires_at: budget.expires_at,
      created_at,
      sent_at,
      viewed_at: budget.viewed_at,
      decided_at,
      withdrawn_at: budget.withdrawn_at,
      open_question: hasOpenQuestion(filter.clinic_id),
      signed_pdf_status: budget.signed_pdf_status,
      locked_until:
        sql<Date | null>`case when ${budgetLink.locked_until} > now() then ${budgetLink.locked_until} end`.mapWith(
          budgetLink.locked_until
        ),
      channel: budgetLink.channel,
      delivery: budgetLink.delivery,
      delivery_error: budgetLink.delivery_error,
      delivery_reason: budgetLink.delivery_reason,
      delivered_at: budgetLink.delivered_at,
      delivered_via: budgetLink.delivered_via
    })
    .from(ids)
    .innerJoin(budget, eq(budget.id, ids.id))
    .leftJoin(budgetLink, eq(budgetLink.budget_id, budget.id))
    .orderBy(...ORDERS[sort])
}

/**
 * Without an order PostgreSQL might scan the table of all clinics from its beginning, expecting to find enough rows
 * soon. With the newest first, it can only scan the clinic's own rows, or look up the words.
 */
const NEWEST = '-created_at'

/** Ids and states, at most `limit`. */
export async function findSome(db: Db, filter: ListFilter, limit: number): Promise<{ id: string, status: Status }[]> {
  const { from, where } = rowsOf(filter, NEWEST, limit)
  return await db
    .select({ id: sql<string>`${id}`, status: statusNow(filter.clinic_id) })
    .from(from)
    .where(where)
    .orderBy(...ORDERS[NEWEST])
    .limit(limit)
}

/** Counts at most `limit` rows and stops there. */
export async function countUpTo(db: Db, filter: ListFilter, limit: number): Promise<Map<Status, number>> {
  const { from, where } = rowsOf(filter, NEWEST, limit)
  const found = db
    .select({ status: statusNow(filter.clinic_id).as('found_status') })
    .from(from)
    .where(where)
    .orderBy(...ORDERS[NEWEST])
    .limit(limit)
    .as('found')
  const rows = await db
    .select({ status: found.status, n: sql<number>`count(*)::int` })
    .from(found)
    .groupBy(found.status)
  return new Map(rows.map(row => [row.status, row.n]))
}

/**
 * The rows that contain the first `limit`; null: all. Few budgets need attention: `offset 0` prevents PostgreSQL from
 * scanning the whole order in the hope of finding one soon. If no single index has all rows, each part is scanned along
 * its own.
 */
function rowsOf(filter: ListFilter, sort: ListOrder, limit: number | null): { from: SQL, where: SQL | undefined } {
  const { clinic_id, attention, ids } = filter
  const [where, states] = [conditions(filter), statesOf(filter)]
  if (attention) {
    return {
      from: sql`(select * from ${budget} where ${and(eq(budget.clinic_id, clinic_id), asksFor(clinic_id, attention))} offset 0) as "budget"`,
      where: and(where, or(...states))
    }
  }
  const parted = ids ? undefined : PARTED[sort]
  const parts = parted
    ? [isNotNull(parted.column), isNull(parted.column)].flatMap(half => states.map(state => and(half, state)))
    : states
  if (parts.length === 1) return { from: sql`${budget}`, where: and(where, parts[0]) }
  const order = sql.join(parted?.walk ?? ORDERS[sort], sql`, `)
  const walks = parts.map(
    part => sql`(select * from ${budget} where ${and(where, part)} order by ${order} limit ${limit}::bigint)`
  )
  return { from: sql`(${sql.join(walks, sql` union all `)}) as "budget"`, where: undefined }
}

/** The states, by the database's clock. Each part uses an index, which a single `or` would prevent. */
function statesOf({ clinic_id, status }: ListFilter): (SQL | undefined)[] {
  if (!status) return [undefined]
  const stored = status.length === 1 ? eq(budget.status, status[0]!) : inArray(budget.status, status)
  const hasSent = status.includes('sent')
  if (status.includes('expired') === hasSent) return [stored]
  return hasSent ? [and(stored, sql`${id} not in ${overIds(clinic_id)}`)] : [stored, isOver(clinic_id)]
}

/** All conditions except the state. */
function conditions({
  clinic_id,
  patient_id,
  professional_id,
  expires_before,
  locked,
  search,
  ids
}: ListFilter): SQL | undefined {
  const query = search ? wordsQuery(search) : null
  return and(
    eq(budget.clinic_id, clinic_id),
    query ? sql`${budget.words} @@ ${query}::tsquery` : undefined,
    patient_id ? eq(budget.patient_id, patient_id) : undefined,
    professional_id ? eq(budget.professional_id, professional_id) : undefined,
    expires_before ? isBefore(expires_before) : undefined,
    locked === undefined ? undefined : isLocked(clinic_id, locked),
    ids && sql`${id} = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)::uuid))`
  )
}

/**
 * PostgreSQL refuses words of more than 2046 bytes, and NFKD makes up to 18 bytes of one character. A truncated word
 * still matches as a prefix.
 */
const MAX_WORD_LENGTH = 600

/** `Núñez 0012` → `'nunez':* & '0012':*`, each word as a prefix. Null for a search without words. */
function wordsQuery(search: string): string | null {
  const words = search
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
  return words.length === 0
    ? null
    : words.map(word => `'${word.slice(0, MAX_WORD_LENGTH).replaceAll('\\', '\\\\').replaceAll('\'', '\'\'')}':*`).join(' & ')
}

const isBefore = (text: string) => text.length === 10 ? lt(valid_until, text) : lt(budget.expires_at, new Date(text))

function isLocked(clinic_id: string, locked: boolean): SQL {
  const ids = lockedIds(clinic_id)
  return locked ? sql`${id} in ${ids}` : sql`${id} not in ${ids}`
}
