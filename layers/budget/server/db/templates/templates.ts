import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetTemplate } from '../schema.ts'

export type TemplateRow = typeof budgetTemplate.$inferSelect
interface At { clinic_id: string, id: string }

const is = (at: At) => and(eq(budgetTemplate.clinic_id, at.clinic_id), eq(budgetTemplate.id, at.id))

export async function findTemplate(db: Db | Tx, at: At): Promise<TemplateRow | null> {
  const [row] = await db.select().from(budgetTemplate).where(is(at))
  return row ?? null
}

/** Locks the row until the transaction ends. */
export async function lockTemplate(tx: Tx, at: At): Promise<TemplateRow | null> {
  const [row] = await tx.select().from(budgetTemplate).where(is(at)).for('update')
  return row ?? null
}

/** A clinic has only a few, so names are searched without an index. */
export async function selectTemplates(
  db: Db,
  { clinic_id, search = '', page, page_size }: { clinic_id: string, search?: string, page: number, page_size: number }
): Promise<{ rows: TemplateRow[], total: number }> {
  const where = and(
    eq(budgetTemplate.clinic_id, clinic_id),
    sql`strpos(lower(${budgetTemplate.name}), lower(${search.trim()}::text)) > 0`
  )
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(budgetTemplate).where(where),
    db
      .select()
      .from(budgetTemplate)
      .where(where)
      .orderBy(sql`lower(${budgetTemplate.name})`, asc(budgetTemplate.id))
      .limit(page_size)
      .offset((page - 1) * page_size)
  ])
  return { rows, total: counted!.total }
}

/** All templates of the clinic. */
export async function listTemplates(db: Db | Tx, clinic_id: string): Promise<TemplateRow[]> {
  return await db
    .select()
    .from(budgetTemplate)
    .where(eq(budgetTemplate.clinic_id, clinic_id))
    .orderBy(sql`lower(${budgetTemplate.name})`, asc(budgetTemplate.id))
}

export async function insertTemplate(db: Db, row: typeof budgetTemplate.$inferInsert): Promise<TemplateRow> {
  const [inserted] = await db.insert(budgetTemplate).values(row).returning()
  return inserted!
}

export async function renameTemplate(
  tx: Tx,
  { id, name, updated_by }: Pick<TemplateRow, 'id' | 'name' | 'updated_by'>
): Promise<TemplateRow> {
  const [updated] = await tx
    .update(budgetTemplate)
    .set({ name, updated_by, edit: sql`${budgetTemplate.edit} + 1`, updated_at: sql`now()` })
    .where(eq(budgetTemplate.id, id))
    .returning()
  return updated!
}

export async function removeTemplate(tx: Tx, id: string): Promise<void> {
  await tx.delete(budgetTemplate).where(eq(budgetTemplate.id, id))
}
