import { and, asc, count, eq, getTableColumns, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { emailForms } from '@svc/kit/address-forms'
import { searchable } from '@svc/kit/search'
import { peopleQuery, phoneWords } from '../../shared/domain/people-query.ts'
import { patient } from './schema.ts'

const { words, ...stored } = getTableColumns(patient)
const columns = {
  ...stored,
  external_ids: sql<Record<string, string>>`coalesce((
    select jsonb_object_agg(named.system, named.external_id) from clinical_patient_external_id as named
    where named.patient_id = clinical_patient.id), '{}')`
}
export type PatientRow = Omit<typeof patient.$inferSelect, 'words'> & { external_ids: Record<string, string> }
export type NewPatient = Omit<typeof patient.$inferInsert, 'search'>
interface At { clinic_id: string, id: string }

const is = (at: At) => and(eq(patient.clinic_id, at.clinic_id), eq(patient.id, at.id))

export async function findPatient(db: Db | Tx, at: At): Promise<PatientRow | null> {
  const [row] = await db.select(columns).from(patient).where(is(at))
  return row ?? null
}

/** In any clinic. */
export async function findPatientAnywhere(db: Db | Tx, id: string): Promise<PatientRow | null> {
  const [row] = await db.select(columns).from(patient).where(eq(patient.id, id))
  return row ?? null
}

/** Locks the row until the transaction ends, so that the compared version is the one that is changed. */
export async function lockPatient(tx: Tx, at: At): Promise<PatientRow | null> {
  const [row] = await tx.select(columns).from(patient).where(is(at)).for('update')
  return row ?? null
}

/** Returns whether there was still data to erase. */
export async function emptyPatient(db: Db | Tx, at: At): Promise<boolean> {
  const nothing = {
    first_name: '',
    last_name: '',
    email: null,
    phone: null,
    date_of_birth: null,
    tax_number: null,
    address: null,
    notes: null,
    search: ''
  }
  const rows = await db
    .update(patient)
    .set({ ...nothing, erased_at: sql`now()`, version: sql`${patient.version} + 1`, updated_at: sql`now()` })
    .where(and(is(at), isNull(patient.erased_at)))
    .returning({ id: patient.id })
  return rows.length > 0
}

/**
 * Whether another patient, of any clinic, has this address too: a family may share one, and a person may be a patient
 * of several clinics.
 */
export async function isSharedAddress(db: Db | Tx, { id }: At, address: string): Promise<boolean> {
  const rows = await db
    .select({ id: patient.id })
    .from(patient)
    .where(and(inArray(sql`lower(${patient.email})`, emailForms(address)), ne(patient.id, id)))
    .limit(1)
  return rows.length > 0
}

interface Filter { clinic_id: string, search?: string }

const order = [asc(patient.search), asc(patient.id)]

function present({ clinic_id, search }: Filter) {
  const query = peopleQuery(search ?? '')
  return and(
    eq(patient.clinic_id, clinic_id),
    isNull(patient.erased_at),
    query ? sql`${words} @@ ${query}::tsquery` : undefined
  )
}

/** All ids of the list, in order, packed for `idBatches` of the kit. */
export async function packPatientIds(db: Db, filter: Filter): Promise<Uint8Array> {
  const packed = sql<Buffer>`string_agg(uuid_send(${patient.id}), ''::bytea order by ${sql.join(order, sql`, `)})`
  const [row] = await db.select({ packed }).from(patient).where(present(filter))
  return row!.packed ?? Buffer.alloc(0)
}

/** In no particular order; without patients whose data was erased meanwhile. */
export async function findPatients(db: Db, { clinic_id, ids }: Filter & { ids: string[] }): Promise<PatientRow[]> {
  return await db.select(columns).from(patient).where(and(present({ clinic_id }), inArray(patient.id, ids)))
}

export async function selectPatients(db: Db, at: Filter & { page: number, page_size: number }) {
  const where = present(at)
  // Reads the ids of the page from an index, and then only these rows.
  const ids = db
    .select({ id: sql<string>`${patient.id}`.as('listed_id') })
    .from(patient)
    .where(where)
    .orderBy(...order)
    .limit(at.page_size)
    .offset((at.page - 1) * at.page_size)
    .as('page')
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(patient).where(where),
    db
      .select(columns)
      .from(ids)
      .innerJoin(patient, eq(patient.id, ids.id))
      .orderBy(...order)
  ])
  return { rows, total: counted!.total }
}

export async function insertPatient(db: Db | Tx, row: NewPatient): Promise<PatientRow> {
  const [inserted] = await db.insert(patient).values({ ...row, search: searchOf(row) }).returning(columns)
  return inserted!
}

export async function updatePatient(tx: Tx, row: PatientRow): Promise<PatientRow> {
  const next = { ...row, search: searchOf(row), version: row.version + 1, updated_at: sql`now()` }
  const [updated] = await tx.update(patient).set(next).where(eq(patient.id, row.id)).returning(columns)
  return updated!
}

/** An imported row is also matched by it. */
export const searchOf = ({
  last_name,
  first_name,
  email,
  phone
}: Pick<NewPatient, 'first_name' | 'last_name' | 'email' | 'phone'>) =>
  searchable([last_name, first_name, email, ...(phone ? phoneWords(phone) : [])].filter(Boolean).join(' '))
