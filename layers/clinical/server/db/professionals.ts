import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { searchable } from '@svc/kit/search'
import { peopleQuery } from '../../shared/domain/people-query.ts'
import { professional } from './schema.ts'

const { words, ...stored } = getTableColumns(professional)
const columns = {
  ...stored,
  external_ids: sql<Record<string, string>>`coalesce((
    select jsonb_object_agg(named.system, named.external_id) from clinical_professional_external_id as named
    where named.professional_id = clinical_professional.id), '{}')`
}
export type ProfessionalRow = Omit<typeof professional.$inferSelect, 'words'> & { external_ids: Record<string, string> }
export type NewProfessional = Omit<typeof professional.$inferInsert, 'search'>
interface At { clinic_id: string, id: string }

const is = (at: At) => and(eq(professional.clinic_id, at.clinic_id), eq(professional.id, at.id))

export async function findProfessional(db: Db | Tx, at: At): Promise<ProfessionalRow | null> {
  const [row] = await db.select(columns).from(professional).where(is(at))
  return row ?? null
}

/** Locks the row until the transaction ends, so that the compared version is the one that is changed. */
export async function lockProfessional(tx: Tx, at: At): Promise<ProfessionalRow | null> {
  const [row] = await tx.select(columns).from(professional).where(is(at)).for('update')
  return row ?? null
}

export async function selectProfessionals(
  db: Db,
  at: { clinic_id: string, search?: string, active?: boolean, page: number, page_size: number }
) {
  const query = peopleQuery(at.search ?? '')
  const where = and(
    eq(professional.clinic_id, at.clinic_id),
    at.active === undefined ? undefined : eq(professional.active, at.active),
    query ? sql`${words} @@ ${query}::tsquery` : undefined
  )
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(professional).where(where),
    db
      .select(columns)
      .from(professional)
      .where(where)
      .orderBy(asc(professional.search), asc(professional.id))
      .limit(at.page_size)
      .offset((at.page - 1) * at.page_size)
  ])
  return { rows, total: counted!.total }
}

export async function insertProfessional(db: Db | Tx, row: NewProfessional): Promise<ProfessionalRow> {
  const [inserted] = await db.insert(professional).values({ ...row, search: searchable(row.name) }).returning(columns)
  return inserted!
}

export async function updateProfessional(tx: Tx, row: ProfessionalRow): Promise<ProfessionalRow> {
  const next = { ...row, search: searchable(row.name), version: row.version + 1, updated_at: sql`now()` }
  const [updated] = await tx.update(professional).set(next).where(eq(professional.id, row.id)).returning(columns)
  return updated!
}
