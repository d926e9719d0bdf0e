import type { Ctx, Db, Tx } from './index.js'

/** What a record is called in other systems: `{ "pms": "4711" }`. */
export type ExternalIds = Record<string, string>
/** One of them, in its clinic. */
export interface ExternalKey { clinic_id: string, system: string, external_id: string }

export interface ExternalIdTable {
  /** The record of that name; null: none, or no possible name. */
  find (db: Db | Tx, key: ExternalKey): Promise<string | null>
  /** Of many records; those without any are left out. */
  list (db: Db | Tx, records: string[]): Promise<Map<string, ExternalIds>>
  /** These and no others. Throws `external_id_taken`. Lock the record first. */
  save (tx: Tx, owner: { clinic_id: string, id: string, external_ids: ExternalIds }): Promise<void>
  /** Returns how many there were. */
  remove (tx: Db | Tx, id: string): Promise<number>
}

/**
 * A module's own table of them: columns `clinic_id, system, external_id` (its primary key) and `record`, unique with
 * `system`.
 */
export function externalIdsOf(ctx: Pick<Ctx, 'pg'>, names: { table: string, record: string }): ExternalIdTable

interface Put<Body, Found, Record> {
  /** Of the address. */
  params: { system?: string, id?: string }
  body: Body
  find (): Promise<Found | null>
  create (body: Body & { external_ids: ExternalIds }): Promise<Record>
  change (found: Found, body: Body): Promise<Record>
}
/**
 * `PUT …/by-external-id/{system}/{id}`: changes what is called so, or makes it. Of parallel ones one makes it, and the
 * others change that. What the body does not name keeps what it has.
 */
export function putByExternalId<Body extends { external_ids?: ExternalIds }, Found, Record>(
  put: Put<Body, Found, Record>
): Promise<{ is_new: boolean, record: Record }>
