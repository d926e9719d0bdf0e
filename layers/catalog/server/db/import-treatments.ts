import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import type { Counts } from '../../shared/contract.ts'
import type { Texts } from './schema.ts'

export interface TreatmentKeys { external_id: string | null, code: string | null }
export interface KnownTreatment {
  /** Place among the wanted ones. */
  at: number
  id: string
  code: string
  name: Texts
  description: Texts
  category: string | null
  /** Minor units. */
  unit_price: string
  vat: number
  active: boolean
  counts: Counts
  surfaces: number | null
  external_id: string | null
  /** Whether another treatment has the wanted code. */
  taken: boolean
}

/** Those that are known, by external id, else by code, whatever its case: ids first, then the rows by them. */
export async function findKnownTreatments(
  tx: Tx,
  { clinic_id, system, rows, lock }: { clinic_id: string, system: string, rows: TreatmentKeys[], lock: boolean }
): Promise<KnownTreatment[]> {
  const places = await tx.execute(sql`
    select wanted.at, coalesce(named.id, coded.id)::text as id, coalesce(coded.id <> named.id, false) as taken
    from ${recordset(sql`wanted`, rows.map((row, at) => ({ at, ...row })), sql`at int, external_id text, code text`)}
    left join lateral (
      select treatment_id as id from catalog_treatment_external_id
      where clinic_id = ${clinic_id}::uuid and system = ${system} and external_id = wanted.external_id limit 1
    ) as named on true
    left join lateral (
      select id from catalog_treatment
      where clinic_id = ${clinic_id}::uuid and lower(code) = lower(wanted.code)
      order by code = wanted.code desc, created_at, id limit 1
    ) as coded on true`) as unknown as { at: number, id: string | null, taken: boolean }[]
  const ids = places.flatMap(({ id }) => id ?? [])
  const found = new Map((await readTreatments(tx, { ids, system, lock })).map(row => [row.id, row]))
  return places.flatMap(({ at, id, taken }) => {
    const row = id === null ? undefined : found.get(id)
    return row ? [{ at, taken, ...row }] : []
  })
}

async function readTreatments(
  tx: Tx,
  { ids, system, lock }: { ids: string[], system: string, lock: boolean }
): Promise<Omit<KnownTreatment, 'at' | 'taken'>[]> {
  if (ids.length === 0) return []
  const found = await tx.execute(sql`
    select t.id::text, code, name, description, category, unit_price::text, vat, active, counts, surfaces,
           (select external_id from catalog_treatment_external_id where treatment_id = t.id and system = ${system}) as external_id
    from catalog_treatment t
    where id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)::uuid))
    order by id ${lock ? sql`for update` : sql``}`)
  return found as unknown as Omit<KnownTreatment, 'at' | 'taken'>[]
}

export interface TreatmentWrite extends Omit<KnownTreatment, 'at' | 'taken'> { search: string, user_id: string | null }

export async function insertTreatments(tx: Tx, clinic_id: string, rows: TreatmentWrite[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into catalog_treatment (id, clinic_id, code, name, description, category, unit_price, vat, active, counts, surfaces, search, created_by, updated_by)
    select id, ${clinic_id}::uuid, code, name, description, category, unit_price, vat, active, counts, surfaces, search, user_id, user_id
    from ${recordset(sql`typed`, rows, FIELDS)}`)
}

export async function updateTreatments(tx: Tx, rows: TreatmentWrite[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    update catalog_treatment t
    set code = typed.code, name = typed.name, description = typed.description, category = typed.category, unit_price = typed.unit_price,
        vat = typed.vat, active = typed.active, counts = typed.counts, surfaces = typed.surfaces, search = typed.search, updated_by = typed.user_id, updated_at = now(), version = version + 1
    from ${recordset(sql`typed`, rows, FIELDS)} where t.id = typed.id`)
}

/** Of those that have one: in place of an earlier one. */
export async function saveExternalIds(
  tx: Tx,
  { clinic_id, system }: { clinic_id: string, system: string },
  rows: TreatmentWrite[]
): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into catalog_treatment_external_id (clinic_id, system, external_id, treatment_id)
    select ${clinic_id}::uuid, ${system}, typed.external_id, typed.id from ${recordset(sql`typed`, rows, sql`id uuid, external_id text`)}
    on conflict (treatment_id, system) do update set external_id = excluded.external_id`)
}

const FIELDS = sql`id uuid, code text, name jsonb, description jsonb, category text, unit_price bigint, vat int, active boolean, counts text, surfaces int, search text, user_id uuid`

const recordset = (name: SQL, rows: object[], columns: SQL) =>
  sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as ${name} (${columns})`
