import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { OpenQuery } from '@svc/kit/modules/budget'
import { budget } from '../schema.ts'

/** Sent versions that the patient can still decide on by the database's clock, the longest waiting first. */
export async function listOpenRows(
  db: Db,
  { clinic_id, patient_id, page, page_size }: OpenQuery & { clinic_id: string }
) {
  const isOpen = and(
    eq(budget.clinic_id, clinic_id),
    eq(budget.status, 'sent'),
    sql`(${budget.expires_at} is null or ${budget.expires_at} > now())`,
    patient_id === undefined ? undefined : eq(budget.patient_id, patient_id)
  )
  const { id, number, version, currency, locale, total, sent_at, valid_until, expires_at } = budget
  const { patient_id: of, patient_first_name, patient_last_name } = budget
  const columns = { id, number, version, currency, locale, total, sent_at, valid_until, expires_at }
  const rows = await db
    .select({ ...columns, patient_id: of, patient_first_name, patient_last_name })
    .from(budget)
    .where(isOpen)
    .orderBy(asc(sent_at), asc(id))
    .limit(page_size)
    .offset((page - 1) * page_size)
  const [all] = await db.select({ total: count() }).from(budget).where(isOpen)
  return { rows, total: all!.total }
}
