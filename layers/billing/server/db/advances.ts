import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { advance, advanceReversal, invoice, payment, paymentReversal } from './schema.ts'

export type StoredAdvance = typeof advance.$inferSelect
export type AdvanceReversalRow = typeof advanceReversal.$inferSelect
export interface AdvanceKey { clinic_id: string, id: string }
/** The number of a budget, shared by all its versions. */
export interface NumberKey { clinic_id: string, budget_number: string }

const keyed = ({ clinic_id, id }: AdvanceKey) => and(eq(advance.clinic_id, clinic_id), eq(advance.id, id))
const ofNumber = ({ clinic_id, budget_number }: NumberKey) =>
  and(eq(advance.clinic_id, clinic_id), eq(advance.budget_number, budget_number))
const OLDEST_FIRST = [asc(advance.paid_at), asc(advance.issued_at), asc(advance.id)]

/**
 * Locks the money of a budget. Take it before any other lock but `lockDocumentsOf`: if an advance is recorded while
 * its invoice is issued, the second transaction sees the first. It is an advisory lock, because there may be no row
 * to lock yet.
 */
export async function lockMoney(tx: Tx, { clinic_id, budget_number }: NumberKey): Promise<void> {
  const name = `billing-money:${clinic_id}:${budget_number}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** The advances and invoices of a patient: `shared` to add or change some, else to erase the names in all of them. */
export async function lockDocumentsOf(
  tx: Tx | Db,
  { clinic_id, patient_id }: { clinic_id: string, patient_id: string },
  { shared }: { shared: boolean }
): Promise<void> {
  const key = sql`hashtextextended(${`billing-advances:${clinic_id}:${patient_id}`}, 0)`
  await tx.execute(shared ? sql`select pg_advisory_xact_lock_shared(${key})` : sql`select pg_advisory_xact_lock(${key})`)
}

/** Null if the id is taken. */
export async function insertAdvance(tx: Tx, row: typeof advance.$inferInsert): Promise<StoredAdvance | null> {
  const [inserted] = await tx.insert(advance).values(row).onConflictDoNothing({ target: advance.id }).returning()
  return inserted ?? null
}

export async function findAdvance(db: Db | Tx, key: AdvanceKey): Promise<StoredAdvance | null> {
  const [row] = await db.select().from(advance).where(keyed(key))
  return row ?? null
}

export async function findAdvanceLocked(tx: Tx, key: AdvanceKey): Promise<StoredAdvance | null> {
  const [row] = await tx.select().from(advance).where(keyed(key)).for('update')
  return row ?? null
}

/** The advances with a balance, oldest first, locked. */
export async function listOpenLocked(tx: Tx, key: NumberKey): Promise<StoredAdvance[]> {
  return await tx
    .select()
    .from(advance)
    .where(and(ofNumber(key), gt(advance.balance, 0n)))
    .orderBy(...OLDEST_FIRST)
    .for('update')
}

/** The advances of all versions of a budget, oldest first. */
export async function listOfNumber(db: Db | Tx, key: NumberKey): Promise<StoredAdvance[]> {
  return await db.select().from(advance).where(ofNumber(key)).orderBy(...OLDEST_FIRST)
}

export async function hasBalance(tx: Tx, key: NumberKey): Promise<boolean> {
  const isOpen = and(ofNumber(key), gt(advance.balance, 0n))
  const rows = await tx.select({ id: advance.id }).from(advance).where(isOpen).limit(1)
  return rows.length > 0
}

/** Null if the id is taken. */
export async function insertAdvanceReversal(
  tx: Tx,
  row: typeof advanceReversal.$inferInsert
): Promise<{ id: string } | null> {
  const [inserted] = await tx
    .insert(advanceReversal)
    .values(row)
    .onConflictDoNothing({ target: advanceReversal.id })
    .returning({ id: advanceReversal.id })
  return inserted ?? null
}

/** Oldest first. */
export async function listReversals(db: Db | Tx, ids: string[]): Promise<AdvanceReversalRow[]> {
  if (ids.length === 0) return []
  return await db
    .select()
    .from(advanceReversal)
    .where(inArray(advanceReversal.advance_id, ids))
    .orderBy(asc(advanceReversal.reversed_at), asc(advanceReversal.id))
}

/** A payment that comes from an advance, and its invoice. */
export type AppliedRow = typeof payment.$inferSelect & { invoice_number: string | null, reversed_at: Date | null }

/** The payments that come from these advances, oldest first. */
export async function listApplied(db: Db | Tx, ids: string[]): Promise<AppliedRow[]> {
  if (ids.length === 0) return []
  return await db
    .select({
      ...getTableColumns(payment),
      invoice_number: invoice.number,
      reversed_at: paymentReversal.reversed_at
    })
    .from(payment)
    .innerJoin(invoice, eq(invoice.id, payment.invoice_id))
    .leftJoin(paymentReversal, eq(paymentReversal.payment_id, payment.id))
    .where(inArray(payment.advance_id, ids))
    .orderBy(asc(payment.created_at), asc(payment.id))
}

/** Locked, by number. */
export async function listAdvancesOf(
  tx: Db | Tx,
  { clinic_id, patient_id }: { clinic_id: string, patient_id: string }
): Promise<StoredAdvance[]> {
  return await tx
    .select()
    .from(advance)
    .where(and(eq(advance.clinic_id, clinic_id), eq(advance.patient_id, patient_id)))
    .orderBy(asc(advance.number), asc(advance.id))
    .for('update')
}

/** The advances of patients whose data was erased. */
export async function listHeldAdvances(db: Db): Promise<StoredAdvance[]> {
  const isHeld = isNotNull(advance.held_file)
  return await db.select().from(advance).where(isHeld).orderBy(asc(advance.number), asc(advance.id))
}

/** Removes name, note and reference, and stores the receipt. The database refuses it without a stored receipt. */
export async function emptyAdvance(
  tx: Db | Tx,
  id: string,
  held: { held_file: string, held_sha256: string }
): Promise<void> {
  await tx
    .update(advance)
    .set({ patient_first_name: '', patient_last_name: '', note: null, reference: null, ...held })
    .where(eq(advance.id, id))
}

/** Returns how many rows had a reason. The database refuses it unless the patient's data was erased. */
export async function emptyReturnReasons(tx: Db | Tx, advance_id: string): Promise<number> {
  const rows = await tx
    .update(advanceReversal)
    .set({ reason: null })
    .where(and(eq(advanceReversal.advance_id, advance_id), isNotNull(advanceReversal.reason)))
    .returning({ id: advanceReversal.id })
  return rows.length
}
