import { sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import type { ChainedRow, Checkpoint, Head } from './chain.ts'

/** An instant with microseconds, so that every change of it is detected. */
const exact = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const bytes = (hex: string) => Buffer.from(hex, 'hex')

export type StoredRow = ChainedRow & { hash: Buffer }

/** In the order of the chain, in batches. */
export async function* chainBatches(tx: Tx | Db, clinic_id: string, size = 1000): AsyncGenerator<StoredRow[]> {
  // Reads every row, even one with a negative number that was set by SQL.
  for (let after = -2_147_483_648, isFirst = true; ; isFirst = false) {
    const rows = await rowsOf<Omit<StoredRow, 'hash' | 'prev_hash'> & { hash: string, prev_hash: string | null }>(tx, sql`
      select id::text, clinic_id::text, seq, ${exact(sql`at`)} as at, actor_type, actor_id, actor_name, action, target_kind,
             target_id, detail, address, encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash
      from core_audit
      where clinic_id = ${clinic_id}::uuid and ${isFirst ? sql`true` : sql`seq > ${after}::int`}
      order by seq limit ${size}`)
    if (rows.length === 0) return
    yield rows.map(row => ({
      ...row,
      hash: bytes(row.hash),
      prev_hash: row.prev_hash === null ? null : bytes(row.prev_hash)
    }))
    after = rows.at(-1)!.seq
  }
}

/** Null if SQL has removed it. */
export async function findHead(tx: Tx | Db, clinic_id: string): Promise<Head | null> {
  const [row] = await rowsOf<{ count: number, hash: string | null, seal: string }>(tx, sql`
    select count, encode(hash, 'hex') as hash, encode(seal, 'hex') as seal from core_audit_head
    where clinic_id = ${clinic_id}::uuid`)
  return row ? { count: row.count, hash: row.hash === null ? null : bytes(row.hash), seal: bytes(row.seal) } : null
}

export async function findCheckpoint(
  tx: Tx | Db,
  clinic_id: string
): Promise<Checkpoint & { seal: Buffer } | null> {
  const [row] = await rowsOf<Omit<Checkpoint, 'hash'> & { hash: string, seal: string }>(tx, sql`
    select clinic_id::text, seq, encode(hash, 'hex') as hash, ${exact(sql`from_at`)} as from_at, ${exact(sql`to_at`)} as to_at,
           ${exact(sql`made_at`)} as made_at, encode(seal, 'hex') as seal
    from core_audit_checkpoint where clinic_id = ${clinic_id}::uuid`)
  return row ? { ...row, hash: bytes(row.hash), seal: bytes(row.seal) } : null
}

/** The chains of every clinic and of the instance, and those of rows that belong to no clinic. */
export async function listChains(tx: Tx | Db): Promise<{ clinic_id: string, name: string | null }[]> {
  return await rowsOf(tx, sql`
    select chain.id::text as clinic_id, clinic.name
    from (
      select '00000000-0000-0000-0000-000000000000'::uuid as id
      union select id from core_clinic
      union select clinic_id from core_audit_head
      union select clinic_id from core_audit
    ) chain left join core_clinic clinic on clinic.id = chain.id
    order by chain.id`)
}
