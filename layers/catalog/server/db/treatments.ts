import { and, asc, count, eq, getTableColumns, inArray, ne, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { fold, prefixQuery, prefixQueryOf, searchable } from '@svc/kit/search'
import { category, treatment } from './schema.ts'

const { words, ...stored } = getTableColumns(treatment)
const columns = {
  ...stored,
  external_ids: sql<Record<string, string>>`coalesce((
    select jsonb_object_agg(named.system, named.external_id) from catalog_treatment_external_id as named
    where named.treatment_id = catalog_treatment.id), '{}')`
}
export type TreatmentRow = Omit<typeof treatment.$inferSelect, 'words'> & { external_ids: Record<string, string> }
export type NewTreatment = Omit<typeof treatment.$inferInsert, 'search'>
interface At { clinic_id: string, id: string }
interface Filter {
  clinic_id: string
  search?: string
  category?: string
  active?: boolean
  /** False: at 0.00. */
  priced?: boolean
  /** Words are also found inside words, as "Krone" in "Zirkonkrone". */
  inside?: boolean
}

const is = (at: At) => and(eq(treatment.clinic_id, at.clinic_id), eq(treatment.id, at.id))

export async function findTreatment(db: Db | Tx, at: At): Promise<TreatmentRow | null> {
  const [row] = await db.select(columns).from(treatment).where(is(at))
  return row ?? null
}

/** Locks the row until the transaction ends: the version that was compared is the version that is changed. */
export async function lockTreatment(tx: Tx, at: At): Promise<TreatmentRow | null> {
  const [row] = await tx.select(columns).from(treatment).where(is(at)).for('update')
  return row ?? null
}

export async function findTreatments(
  db: Db | Tx,
  { clinic_id, ids }: { clinic_id: string, ids: string[] }
): Promise<TreatmentRow[]> {
  if (ids.length === 0) return []
  return await db
    .select(columns)
    .from(treatment)
    .where(and(eq(treatment.clinic_id, clinic_id), inArray(treatment.id, ids)))
}

/** Nothing is nothing in every currency. */
export async function hasPrices(db: Db | Tx, clinic_id: string): Promise<boolean> {
  const priced = and(eq(treatment.clinic_id, clinic_id), ne(treatment.unit_price, 0n))
  const rows = await db.select({ id: treatment.id }).from(treatment).where(priced).limit(1)
  return rows.length > 0
}

const order = [asc(treatment.search), asc(treatment.id)]

function listed({ clinic_id, search = '', category: code, active, priced, inside = false }: Filter) {
  const query = prefixQuery(search)
  return and(
    eq(treatment.clinic_id, clinic_id),
    code === undefined ? undefined : eq(treatment.category, code),
    active === undefined ? undefined : eq(treatment.active, active),
    priced === undefined ? undefined : priced ? ne(treatment.unit_price, 0n) : eq(treatment.unit_price, 0n),
    query ? (inside ? hasEachWord(search) : sql`${words} @@ ${query}::tsquery`) : undefined)
}

// Shorter words are inside of too many.
const MIN_INSIDE = 4
const hasEachWord = (search: string) => and(...fold(search).split(' ').slice(0, 8).map((word) => {
  const begins = sql`${words} @@ ${prefixQueryOf([word])}::tsquery`
  return word.length < MIN_INSIDE ? begins : or(begins, sql`position(${word} in ${treatment.search}) > 0`)
}))

/** What the search finds, for ranking it. */
export async function findSearched(db: Db | Tx, filter: Filter) {
  const { id, code, name, surfaces } = treatment
  const where = listed({ ...filter, inside: true })
  return await db.select({ id, code, name, surfaces }).from(treatment).where(where).orderBy(...order)
}

/** All of the list, in its order, as `idBatches` of the kit unpacks them. */
export async function packTreatmentIds(db: Db, filter: Filter): Promise<Uint8Array> {
  const packed = sql<Buffer>`string_agg(uuid_send(${treatment.id}), ''::bytea order by ${sql.join(order, sql`, `)})`
  const [row] = await db.select({ packed }).from(treatment).where(listed(filter))
  return row!.packed ?? Buffer.alloc(0)
}

export async function selectTreatments(
  db: Db | Tx,
  at: Filter & { page: number, page_size: number }
): Promise<{ rows: TreatmentRow[], total: number }> {
  const where = listed(at)
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(treatment).where(where),
    db
      .select(columns)
      .from(treatment)
      .where(where)
      .orderBy(...order)
      .limit(at.page_size)
      .offset((at.page - 1) * at.page_size)
  ])
  return { rows, total: counted!.total }
}

/** Null when the clinic has the code already. */
export async function insertTreatment(db: Db | Tx, row: NewTreatment): Promise<TreatmentRow | null> {
  const [inserted] = await db.insert(treatment).values({ ...row, search: searchOf(row) })
    .onConflictDoNothing({ target: [treatment.clinic_id, treatment.code] }).returning(columns)
  return inserted ?? null
}

/** Null when the clinic has the new code already; the transaction is then of no more use. */
export async function updateTreatment(tx: Tx, row: TreatmentRow): Promise<TreatmentRow | null> {
  const next = { ...row, search: searchOf(row), version: row.version + 1, updated_at: sql`now()` }
  try {
    const [updated] = await tx.update(treatment).set(next).where(eq(treatment.id, row.id)).returning(columns)
    return updated!
  } catch (error) {
    const cause = (error as { cause?: { code?: string, constraint_name?: string } }).cause
    if (cause?.code === '23505' && cause.constraint_name === 'catalog_treatment_code') return null
    throw error
  }
}

export async function selectCategories(db: Db | Tx) {
  return await db
    .select({ code: category.code, name: category.name })
    .from(category)
    .orderBy(asc(category.position), asc(category.code))
}

export async function hasCategory(db: Db | Tx, code: string): Promise<boolean> {
  const rows = await db.select({ code: category.code }).from(category).where(eq(category.code, code))
  return rows.length > 0
}

/** Also of an imported row. */
export const searchOf = ({ code, name }: Pick<NewTreatment, 'code' | 'name'>) =>
  searchable([code, ...Object.values(name)].join(' '))
