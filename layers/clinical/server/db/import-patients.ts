import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '@svc/kit'

/** The values by which a row's patient is searched; `search` only if the row has no better ones. */
export interface PatientKeys {
  external_id: string | null
  /** The possible spellings of one address, in lower case. */
  emails: string[]
  date_of_birth: string | null
  search: string | null
}
export interface KnownPatient {
  /** Position in the searched list. */
  at: number
  by: 'external' | 'person' | 'text'
  id: string
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
  date_of_birth: string | null
  locale: string
  tax_number: string | null
  address: string | null
  notes: string | null
  search: string
  external_id: string | null
}
type Stored = Omit<KnownPatient, 'at' | 'by'>

/** At most this many patients with the same email and date of birth, or with the same texts, are compared. */
const MAX_CANDIDATES = 20

/**
 * Existing patients: by external id, otherwise by email and date of birth, otherwise by equal texts. Patients with an
 * external id other than the row's are left out. Ids come first, each by a look-up in its own index: in one statement
 * with the rows, or for a comparison with an array, PostgreSQL without statistics of a growing table would scan all
 * patients of the clinic. So each form of an address is a look-up.
 */
export async function findKnownPatients(
  tx: Tx,
  { clinic_id, system, rows, lock }: { clinic_id: string, system: string, rows: PatientKeys[], lock: boolean }
): Promise<KnownPatient[]> {
  const places = await tx.execute(sql`
    select wanted.at, known.by, known.id::text as id
    from ${recordset(sql`wanted`, rows.map((row, at) => ({ at, ...row })), sql`at int, external_id text, emails text[], date_of_birth date, search text`)}
    cross join lateral (
      (select 'external' as by, patient_id as id from clinical_patient_external_id
       where clinic_id = ${clinic_id}::uuid and system = ${system} and external_id = wanted.external_id limit 1)
      union all
      (select 'person', same.id from unnest(wanted.emails) as form (email)
       cross join lateral (
         select id, created_at from clinical_patient
         where clinic_id = ${clinic_id}::uuid and email is not null and lower(email) = form.email and date_of_birth = wanted.date_of_birth
           and erased_at is null
         order by created_at, id limit ${MAX_CANDIDATES}
       ) as same
       order by same.created_at, same.id limit ${MAX_CANDIDATES})
      union all
      (select 'text', id from clinical_patient
       where clinic_id = ${clinic_id}::uuid and erased_at is null and search = wanted.search and date_of_birth is not distinct from wanted.date_of_birth
       order by created_at, id limit ${MAX_CANDIDATES})
    ) as known
    order by wanted.at`) as unknown as Pick<KnownPatient, 'at' | 'by' | 'id'>[]
  const patients = await readPatients(tx, { ids: places.map(({ id }) => id), system, lock })
  const stored = new Map(patients.map(row => [row.id, row]))
  const named = new Set(places.filter(({ by }) => by === 'external').map(({ at }) => at))
  return places.flatMap(({ at, by, id }) => {
    const row = stored.get(id)
    const isOther = by !== 'external' && (named.has(at) || isAnother(rows[at]!, row))
    return row && !isOther ? [{ at, by, ...row }] : []
  })
}

const isAnother = (wanted: PatientKeys, row: Stored | undefined) =>
  wanted.external_id !== null && row !== undefined && row.external_id !== null

async function readPatients(
  tx: Tx,
  { ids, system, lock }: { ids: string[], system: string, lock: boolean }
): Promise<Stored[]> {
  if (ids.length === 0) return []
  const found = await tx.execute(sql`
    select p.id::text, first_name, last_name, email, phone, date_of_birth::text, locale, tax_number, address, notes, search,
           (select external_id from clinical_patient_external_id where patient_id = p.id and system = ${system}) as external_id
    from clinical_patient p
    where id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)::uuid)) and erased_at is null
    order by id ${lock ? sql`for update` : sql``}`)
  return found as unknown as Stored[]
}

export interface PatientWrite extends Stored { user_id: string | null }

export async function insertPatients(tx: Tx, clinic_id: string, rows: PatientWrite[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into clinical_patient (id, clinic_id, first_name, last_name, email, phone, date_of_birth, locale, tax_number, address, notes, search, created_by, updated_by)
    select id, ${clinic_id}::uuid, first_name, last_name, email, phone, date_of_birth, locale, tax_number, address, notes, search, user_id, user_id
    from ${recordset(sql`typed`, rows, FIELDS)}`)
}

export async function updatePatients(tx: Tx, rows: PatientWrite[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    update clinical_patient p
    set first_name = typed.first_name, last_name = typed.last_name, email = typed.email, phone = typed.phone, date_of_birth = typed.date_of_birth,
        locale = typed.locale, tax_number = typed.tax_number, address = typed.address, notes = typed.notes, search = typed.search, updated_by = typed.user_id, updated_at = now(), version = version + 1
    from ${recordset(sql`typed`, rows, FIELDS)} where p.id = typed.id`)
}

/** Replaces an earlier value if the row has one. */
export async function saveExternalIds(
  tx: Tx,
  { clinic_id, system }: { clinic_id: string, system: string },
  rows: PatientWrite[]
): Promise<void> {
  const named = rows.filter(({ external_id }) => external_id !== null)
  if (named.length === 0) return
  await tx.execute(sql`
    insert into clinical_patient_external_id (clinic_id, system, external_id, patient_id)
    select ${clinic_id}::uuid, ${system}, typed.external_id, typed.id from ${recordset(sql`typed`, named, sql`id uuid, external_id text`)}
    on conflict (patient_id, system) do update set external_id = excluded.external_id`)
}

const FIELDS = sql`id uuid, first_name text, last_name text, email text, phone text, date_of_birth date, locale text, tax_number text, address text, notes text, search text, user_id uuid`

const recordset = (name: SQL, rows: object[], columns: SQL) =>
  sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as ${name} (${columns})`
