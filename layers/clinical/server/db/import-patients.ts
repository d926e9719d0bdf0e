import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '@svc/kit'

/** The system of external ids that files name. */
const SYSTEM = 'import'

/** A row as it is looked for; `search` only where nothing else says who it is. */
export interface Wanted {
  external_id: string | null
  email: string | null
  date_of_birth: string | null
  search: string | null
}
export interface KnownPatient {
  /** Place among the wanted ones. */
  at: number
  id: string
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
  date_of_birth: string | null
  locale: string
  notes: string | null
  search: string
  external_id: string | null
}

/**
 * Those that are known, by external id, else by email and date of birth, else by being the same: ids first, each
 * look-up through an index of its own. In one statement with the rows, a planner without statistics of a table that
 * grows would take the clinic's patients one by one.
 */
export async function findWanted(
  tx: Tx,
  { clinic_id, rows, lock }: { clinic_id: string, rows: Wanted[], lock: boolean }
): Promise<KnownPatient[]> {
  const places = await tx.execute(sql`
    select wanted.at, coalesce(named.id, person.id, sight.id)::text as id
    from ${recordset(sql`wanted`, rows.map((row, at) => ({ at, ...row })), sql`at int, external_id text, email text, date_of_birth date, search text`)}
    left join lateral (
      select patient_id as id from clinical_patient_external_id
      where clinic_id = ${clinic_id}::uuid and system = ${SYSTEM} and external_id = wanted.external_id limit 1
    ) as named on true
    left join lateral (
      select id from clinical_patient
      where clinic_id = ${clinic_id}::uuid and email is not null and lower(email) = lower(wanted.email) and date_of_birth = wanted.date_of_birth
        and named.id is null
      order by created_at, id limit 1
    ) as person on true
    left join lateral (
      select id from clinical_patient
      where clinic_id = ${clinic_id}::uuid and erased_at is null and search = wanted.search and date_of_birth is not distinct from wanted.date_of_birth
      order by created_at, id limit 1
    ) as sight on true`) as unknown as { at: number, id: string | null }[]
  const found = new Map((await readPatients(tx, places.flatMap(({ id }) => id ?? []), lock)).map(row => [row.id, row]))
  return places.flatMap(({ at, id }) => {
    const row = id === null ? undefined : found.get(id)
    return row ? [{ at, ...row }] : []
  })
}

async function readPatients(tx: Tx, ids: string[], lock: boolean): Promise<Omit<KnownPatient, 'at'>[]> {
  if (ids.length === 0) return []
  const found = await tx.execute(sql`
    select p.id::text, first_name, last_name, email, phone, date_of_birth::text, locale, notes, search,
           (select external_id from clinical_patient_external_id where patient_id = p.id and system = ${SYSTEM}) as external_id
    from clinical_patient p
    where id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)::uuid)) and erased_at is null
    order by id ${lock ? sql`for update` : sql``}`)
  return found as unknown as Omit<KnownPatient, 'at'>[]
}

export interface PatientWrite extends Omit<KnownPatient, 'at'> { user_id: string | null }

export async function insertPatients(tx: Tx, clinic_id: string, rows: PatientWrite[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into clinical_patient (id, clinic_id, first_name, last_name, email, phone, date_of_birth, locale, notes, search, created_by, updated_by)
    select id, ${clinic_id}::uuid, first_name, last_name, email, phone, date_of_birth, locale, notes, search, user_id, user_id
    from ${recordset(sql`typed`, rows, FIELDS)}`)
}

export async function updatePatients(tx: Tx, rows: PatientWrite[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    update clinical_patient p
    set first_name = typed.first_name, last_name = typed.last_name, email = typed.email, phone = typed.phone, date_of_birth = typed.date_of_birth,
        locale = typed.locale, notes = typed.notes, search = typed.search, updated_by = typed.user_id, updated_at = now(), version = version + 1
    from ${recordset(sql`typed`, rows, FIELDS)} where p.id = typed.id`)
}

/** Of those that have one: in place of an earlier one. */
export async function nameExternally(tx: Tx, clinic_id: string, rows: PatientWrite[]): Promise<void> {
  const named = rows.filter(({ external_id }) => external_id !== null)
  if (named.length === 0) return
  await tx.execute(sql`
    insert into clinical_patient_external_id (clinic_id, system, external_id, patient_id)
    select ${clinic_id}::uuid, ${SYSTEM}, typed.external_id, typed.id from ${recordset(sql`typed`, named, sql`id uuid, external_id text`)}
    on conflict (patient_id, system) do update set external_id = excluded.external_id`)
}

const FIELDS = sql`id uuid, first_name text, last_name text, email text, phone text, date_of_birth date, locale text, notes text, search text, user_id uuid`

const recordset = (name: SQL, rows: object[], columns: SQL) =>
  sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as ${name} (${columns})`
