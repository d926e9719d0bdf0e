import { and, asc, desc, eq, inArray, isNotNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import type { RequestQuery, RequestSort } from '../../shared/contract.ts'
import { isPayable, REQUEST_STATES } from '../../shared/domain/request-state.ts'
import { attempt, request, terms } from './schema.ts'

export type StoredRequest = typeof request.$inferSelect
export type NewStoredRequest = typeof request.$inferInsert
export type StoredTerms = typeof terms.$inferSelect
export interface RequestKey { clinic_id: string, id: string }

const keyed = ({ clinic_id, id }: RequestKey) => and(eq(request.clinic_id, clinic_id), eq(request.id, id))

export async function saveTerms(tx: Tx, row: typeof terms.$inferInsert): Promise<void> {
  const { budget_id: _, ...fields } = row
  await tx.insert(terms).values(row).onConflictDoUpdate({ target: terms.budget_id, set: fields })
}

/** A version that is sent again may have no deposit any more. */
export async function removeTerms(tx: Tx, budget_id: string): Promise<void> {
  await tx.delete(terms).where(eq(terms.budget_id, budget_id))
}

export interface BudgetKey { clinic_id: string, budget_id: string }

export async function findTerms(db: Db | Tx, at: BudgetKey): Promise<StoredTerms | null> {
  const [row] = await db
    .select()
    .from(terms)
    .where(and(eq(terms.clinic_id, at.clinic_id), eq(terms.budget_id, at.budget_id)))
  return row ?? null
}

/** Null if the id or the budget's deposit is there already. */
export async function insertRequest(tx: Tx, row: NewStoredRequest): Promise<StoredRequest | null> {
  const [inserted] = await tx.insert(request).values(row).onConflictDoNothing().returning()
  return inserted ?? null
}

export async function findRequest(db: Db | Tx, key: RequestKey): Promise<StoredRequest | null> {
  const [row] = await db.select().from(request).where(keyed(key))
  return row ?? null
}

/** Locked: everything that changes a request or its attempts locks it first, and so sees what was before. */
export async function findRequestLocked(tx: Tx, key: RequestKey): Promise<StoredRequest | null> {
  const [row] = await tx.select().from(request).where(keyed(key)).for('update')
  return row ?? null
}

export async function updateRequest(tx: Tx, id: string, change: Partial<NewStoredRequest>): Promise<void> {
  await tx.update(request).set(change).where(eq(request.id, id))
}

const ENDED = sql`${request.ended_at} < now() - interval '30 days'`

/** By the hashes of a link's token. The link ends with its request: 30 days later it is unknown. */
export async function findByToken(db: Db, macs: Buffer[]): Promise<StoredRequest | null> {
  const [row] = await db
    .select()
    .from(request)
    .where(and(inArray(request.token_mac, macs), sql`${ENDED} is not true`))
  return row ?? null
}

/** In which a request can still be paid. */
const PAYABLE = REQUEST_STATES.filter(isPayable)

export interface InvoiceKey { clinic_id: string, invoice_id: string }

/** One request after another is made of an invoice. An advisory lock, because there may be no row to lock yet. */
export async function lockInvoice(tx: Tx, { clinic_id, invoice_id }: InvoiceKey): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payments-invoice:${clinic_id}:${invoice_id}`}, 0))`)
}

/** What the open requests of an invoice ask for, with those that are paid and that billing has yet to record. */
export async function sumRequested(tx: Tx, { clinic_id, invoice_id }: InvoiceKey): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${request.amount}), 0)::text` })
    .from(request)
    .where(and(
      eq(request.clinic_id, clinic_id),
      eq(request.invoice_id, invoice_id),
      or(
        inArray(request.state, PAYABLE),
        sql`${request.state} = 'paid' and exists (
          select from ${attempt} where ${attempt.id} = ${request.paid_by_attempt} and ${attempt.recorded_at} is null)`
      )
    ))
  return BigInt(row!.sum)
}

/** The deposit of this version. */
export async function findDeposit(db: Db | Tx, at: BudgetKey): Promise<StoredRequest | null> {
  const [row] = await db
    .select()
    .from(request)
    .where(and(eq(request.clinic_id, at.clinic_id), eq(request.budget_id, at.budget_id), eq(request.kind, 'deposit')))
  return row ?? null
}

export interface PatientKey { clinic_id: string, patient_id: string }

export async function listOfPatient(db: Db | Tx, { clinic_id, patient_id }: PatientKey): Promise<StoredRequest[]> {
  return await db
    .select()
    .from(request)
    .where(and(eq(request.clinic_id, clinic_id), eq(request.patient_id, patient_id)))
    .orderBy(asc(request.created_at), asc(request.id))
}

/** The same, locked until the end of the transaction: for an erasure. */
export async function listOfPatientLocked(
  db: Db | Tx,
  { clinic_id, patient_id }: PatientKey
): Promise<StoredRequest[]> {
  return await db
    .select()
    .from(request)
    .where(and(eq(request.clinic_id, clinic_id), eq(request.patient_id, patient_id)))
    .orderBy(asc(request.id))
    .for('update')
}

/** Cancels what can still be paid of a patient whose data is erased, and returns how many there were. */
export async function cancelErased(
  db: Db | Tx,
  { clinic_id, patient_id }: PatientKey,
  now: Date
): Promise<number> {
  const rows = await db
    .update(request)
    .set({ state: 'cancelled', cancelled_at: now, ended_at: now, cancel_reason: 'erased' })
    .where(and(eq(request.clinic_id, clinic_id), eq(request.patient_id, patient_id), inArray(request.state, PAYABLE)))
    .returning({ id: request.id })
  return rows.length
}

export type RequestFilter = Omit<RequestQuery, 'page' | 'page_size' | 'sort' | 'budget_id'>
  & { clinic_id: string, budget_number?: string }

const ORDERS: Record<RequestSort, SQL[]> = {
  'created_at': [asc(request.created_at), asc(request.id)],
  '-created_at': [sql`${desc(request.created_at)} nulls last`, sql`${desc(request.id)} nulls last`],
  'due_on': [asc(request.due_on), asc(request.id)],
  '-due_on': [desc(request.due_on), desc(request.id)],
  'amount': [asc(request.amount), asc(request.id)],
  '-amount': [desc(request.amount), desc(request.id)]
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function conditions({ clinic_id, state, kind, attention, search, ...of }: RequestFilter) {
  const { patient_id, budget_number, invoice_id } = of
  const prefix = search?.trim() ? `${escapeLike(search.trim())}%` : null
  return and(
    eq(request.clinic_id, clinic_id),
    state && inArray(request.state, state),
    kind && eq(request.kind, kind),
    attention === undefined ? undefined : attention ? sql`${request.attention} <> '{}'` : sql`${request.attention} = '{}'`,
    patient_id ? eq(request.patient_id, patient_id) : undefined,
    budget_number ? eq(request.budget_number, budget_number) : undefined,
    invoice_id ? eq(request.invoice_id, invoice_id) : undefined,
    prefix === null
      ? undefined
      : or(
          sql`${request.budget_number} ilike ${prefix}`,
          sql`${request.invoice_number} ilike ${prefix}`,
          sql`${request.reference} ilike ${prefix}`
        )
  )
}

export async function listRequestPage(
  db: Db,
  filter: RequestFilter,
  { sort, page, page_size }: { sort: RequestSort, page: number, page_size: number }
): Promise<StoredRequest[]> {
  return await db
    .select()
    .from(request)
    .where(conditions(filter))
    .orderBy(...ORDERS[sort])
    .limit(page_size)
    .offset((page - 1) * page_size)
}

/** By state. */
export async function countByState(db: Db, filter: RequestFilter): Promise<Record<string, number>> {
  const rows = await db
    .select({ state: request.state, n: sql<number>`count(*)::int` })
    .from(request)
    .where(conditions({ ...filter, state: undefined }))
    .groupBy(request.state)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

/** What the staff and the provider wrote, and the links, of a patient whose data is erased. */
export async function emptyRequests(
  tx: Db | Tx,
  { clinic_id, patient_id }: { clinic_id: string, patient_id: string }
): Promise<number> {
  const rows = await tx
    .update(request)
    .set({ cancel_reason: null })
    .where(and(eq(request.clinic_id, clinic_id), eq(request.patient_id, patient_id), isNotNull(request.cancelled_by),
      isNotNull(request.cancel_reason)))
    .returning({ id: request.id })
  return rows.length
}

/** Makes the links of a patient unknown. */
export async function endLinks(
  tx: Db | Tx,
  { clinic_id, patient_id }: { clinic_id: string, patient_id: string }
): Promise<void> {
  await tx
    .update(request)
    .set({ token_mac: sql`decode(md5(${request.id}::text || random()::text), 'hex')`, token_sealed: '' })
    .where(and(eq(request.clinic_id, clinic_id), eq(request.patient_id, patient_id)))
}

/** Requests whose link has ended for good: the token is not needed any more. */
export async function dropEndedTokens(db: Db): Promise<void> {
  await db
    .update(request)
    .set({ token_sealed: '' })
    .where(and(lt(request.ended_at, sql`now() - interval '30 days'`), sql`${request.token_sealed} <> ''`))
}
