import type { Ctx, Db, Tx } from './index.js'

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

/**
 * The functions over a module's own table of external ids. Its columns are `clinic_id, system, external_id` (the
 * primary key) and `record`, which is unique together with `system`.
 */
export function externalIdsOf(ctx: Pick<Ctx, 'pg'>, names: { table: string, record: string }): ExternalIdTable

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
export function putByExternalId<Body extends { external_ids?: ExternalIds }, Found, Record>(
  put: Put<Body, Found, Record>
): Promise<{ is_new: boolean, record: Record }>
