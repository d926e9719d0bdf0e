import type { Ctx } from './context.ts'
import type { Db, Tx } from './database.ts'
import { isProblem, problem } from './problems.ts'
import { externalIds } from './schemas.ts'

/** A record's ids in other systems: `{ "pms": "4711" }`. */
export type ExternalIds = Record<string, string>
/** One external id, unique in its clinic. */
export interface ExternalKey { clinic_id: string, system: string, external_id: string }

export interface ExternalIdTable {
  /** The record with that external id; null if there is none or the id is malformed. */
  find (db: Db | Tx, key: ExternalKey): Promise<string | null>
  /** The external ids of many records. Records without any are left out. */
  list (db: Db | Tx, records: string[]): Promise<Map<string, ExternalIds>>
  /** Replaces the record's external ids by these. Throws `external_id_taken`. Lock the record first. */
  save (tx: Tx, owner: { clinic_id: string, id: string, external_ids: ExternalIds }): Promise<void>
  /** Returns the number of rows that it removed. */
  remove (tx: Db | Tx, id: string): Promise<number>
}

const isPair = (system: string, id: string): boolean =>
  externalIds.safeParse({ [system]: id }).data?.[system] === id

/**
 * The functions over a module's own table of external ids. Its columns are `clinic_id, system, external_id` (the
 * primary key) and `record`, which is unique together with `system`.
 */
export function externalIdsOf(
  { pg: { sql } }: Pick<Ctx, 'pg'>,
  { table, record }: { table: string, record: string }
): ExternalIdTable {
  const ids = sql.identifier(table)
  const owner = sql.identifier(record)

  return {
    async find(db, { clinic_id, system, external_id }) {
      if (!isPair(system, external_id)) return null
      const [row] = await db.execute<{ id: string }>(sql`
        select ${owner} as id from ${ids}
        where clinic_id = ${clinic_id}::uuid and system = ${system} and external_id = ${external_id}`)
      return row?.id ?? null
    },

    async list(db, records) {
      const rows = records.length === 0
        ? []
        : await db.execute<{ id: string, external_ids: ExternalIds }>(sql`
            select ${owner} as id, jsonb_object_agg(system, external_id) as external_ids from ${ids}
            where ${owner} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(records)}::text::jsonb))
            group by 1`)
      return new Map(rows.map(({ id, external_ids }) => [id, external_ids]))
    },

    async save(tx, { clinic_id, id, external_ids }) {
      const wanted = Object.entries(external_ids).map(([system, external_id]) => ({ system, external_id }))
      const rows = sql`jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as wanted (system text, external_id text)`
      // One writer per clinic at a time: two writers that swap ids would deadlock on each other's row.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${table}), hashtext(${clinic_id}))`)
      await tx.execute(sql`
        delete from ${ids} as kept where ${owner} = ${id}::uuid and not exists (
          select from ${rows} where wanted.system = kept.system and wanted.external_id = kept.external_id)`)
      await tx.execute(sql`
        insert into ${ids} (clinic_id, system, external_id, ${owner})
        select ${clinic_id}::uuid, system, external_id, ${id}::uuid from ${rows}
        on conflict (clinic_id, system, external_id) do nothing`)
      const stored = await tx.execute(sql`select system from ${ids} where ${owner} = ${id}::uuid`)
      const taken = wanted.find(({ system }) => !stored.some(row => row.system === system))
      if (taken) throw problem('external_id_taken', { system: taken.system, external_id: taken.external_id })
    },

    async remove(tx, id) {
      const rows = await tx.execute(sql`delete from ${ids} where ${owner} = ${id}::uuid returning system`)
      return rows.length
    }
  }
}

interface Put<Body, Found, Record> {
  /** Path parameters. */
  params: { system?: string, id?: string }
  body: Body
  find (): Promise<Found | null>
  create (body: Body & { external_ids: ExternalIds }): Promise<Record>
  change (found: Found, body: Body): Promise<Record>
}
/**
 * `PUT …/by-external-id/{system}/{id}`: updates the record with that external id, or creates it. Of parallel requests
 * one creates the record and the others update it. Members that the body omits stay unchanged.
 */
export async function putByExternalId<Body extends { external_ids?: ExternalIds }, Found, Record>(
  { params: { system, id }, body, find, create, change }: Put<Body, Found, Record>
): Promise<{ is_new: boolean, record: Record }> {
  if (system === undefined || id === undefined || !isPair(system, id))
    throw problem('not_found', {
      detail: 'A system is 1 to 30 of a-z, 0-9 and -, an id has 1 to 100 characters without outer spaces.'
    })
  const { external_ids } = body
  if (external_ids?.[system] !== undefined && external_ids[system] !== id)
    throw problem('validation_failed', {
      errors: [{ pointer: `/external_ids/${system}`, message: 'Must be the id of the address, or left out.' }]
    })
  const named = { ...external_ids, [system]: id }
  const changed = external_ids ? { ...body, external_ids: named } : body
  const known = await find()
  if (known) return { is_new: false, record: await change(known, changed) }
  try {
    return { is_new: true, record: await create({ ...body, external_ids: named }) }
  } catch (error) {
    // A parallel request may have created the record, and its external id is why ours was refused.
    const made = isProblem(error) ? await find() : null
    if (!made) throw error
    return { is_new: false, record: await change(made, changed) }
  }
}
