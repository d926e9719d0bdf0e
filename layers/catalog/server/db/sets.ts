import { and, asc, count, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { prefixQuery, searchable } from '@svc/kit/search'
import { setItem, treatmentSet } from './schema.ts'

const { words, ...columns } = getTableColumns(treatmentSet)
export type SetRow = Omit<typeof treatmentSet.$inferSelect, 'words'>
type NewSet = Omit<typeof treatmentSet.$inferInsert, 'search'>
export type ItemRow = typeof setItem.$inferSelect
export interface NewItem { treatment_id: string, quantity: number }
interface At { clinic_id: string, id: string }

const is = (at: At) => and(eq(treatmentSet.clinic_id, at.clinic_id), eq(treatmentSet.id, at.id))

export async function findSet(db: Db | Tx, at: At): Promise<SetRow | null> {
  const [row] = await db.select(columns).from(treatmentSet).where(is(at))
  return row ?? null
}

/** Locks the row until the transaction ends. */
export async function lockSet(tx: Tx, at: At): Promise<SetRow | null> {
  const [row] = await tx.select(columns).from(treatmentSet).where(is(at)).for('update')
  return row ?? null
}

export async function selectSets(
  db: Db | Tx,
  { clinic_id, search, page, page_size }: { clinic_id: string, search?: string, page: number, page_size: number }
): Promise<{ rows: SetRow[], total: number }> {
  const query = prefixQuery(search ?? '')
  const where = and(eq(treatmentSet.clinic_id, clinic_id), query ? sql`${words} @@ ${query}::tsquery` : undefined)
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(treatmentSet).where(where),
    db
      .select(columns)
      .from(treatmentSet)
      .where(where)
      .orderBy(asc(treatmentSet.search), asc(treatmentSet.id))
      .limit(page_size)
      .offset((page - 1) * page_size)
  ])
  return { rows, total: counted!.total }
}

/** Of all these sets, each one's in order. */
export async function listSetItems(db: Db | Tx, ids: string[]): Promise<ItemRow[]> {
  if (ids.length === 0) return []
  return await db
    .select()
    .from(setItem)
    .where(inArray(setItem.set_id, ids))
    .orderBy(asc(setItem.set_id), asc(setItem.position))
}

export async function insertSet(tx: Tx, row: NewSet): Promise<SetRow> {
  const [inserted] = await tx.insert(treatmentSet).values({ ...row, search: searchable(row.name) }).returning(columns)
  return inserted!
}

export async function updateSet(tx: Tx, row: SetRow): Promise<SetRow> {
  const next = { ...row, search: searchable(row.name), version: row.version + 1, updated_at: sql`now()` }
  const [updated] = await tx.update(treatmentSet).set(next).where(eq(treatmentSet.id, row.id)).returning(columns)
  return updated!
}

export async function replaceSetItems(tx: Tx, { clinic_id, id }: At, items: readonly NewItem[]): Promise<void> {
  await tx.delete(setItem).where(eq(setItem.set_id, id))
  await tx
    .insert(setItem)
    .values(items.map((item, index) => ({ ...item, set_id: id, clinic_id, position: index + 1 })))
}

export async function removeSet(tx: Tx, { id }: At): Promise<void> {
  await tx.delete(treatmentSet).where(eq(treatmentSet.id, id))
}
