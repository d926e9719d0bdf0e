import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Actor, AnyTx, AuditActor, AuditEntry, Client, Json } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { headSeal, INSTANCE, isHeadSealed, rowHash, type Macs } from './chain.ts'

/** The locked end of a chain, the time of the lock, and the clinic's policy for addresses. */
interface LockedHead {
  count: number
  /** The number of the newest row. Greater than `count` only if SQL has added a row. */
  last: number
  hash: string | null
  seal: string
  ms: number
  ip_policy: 'full' | 'hashed' | 'none' | null
}

/**
 * Appends a row to the log of a clinic, or of the instance, and moves its sealed head. It must be the last step of a
 * transaction: the head stays locked until the end, and a transaction that locks something else afterwards can
 * deadlock. Several clinics are recorded in the order of their ids.
 */
export async function recordAudit({ secrets }: { secrets: Macs }, tx: AnyTx, entry: AuditEntry): Promise<void> {
  const clinic_id = entry.clinic_id ?? INSTANCE
  const head = await lockHead(tx, clinic_id)
  const prev_hash = bytesOf(head.hash)
  const actor = toAuditActor(entry.actor)
  const row = {
    id: randomUUID() as string,
    clinic_id,
    seq: Math.max(head.count, head.last) + 1,
    at: new Date(head.ms).toISOString().replace('Z', '000Z'),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.type === 'user' ? null : actor.name,
    action: entry.action,
    target_kind: entry.target?.kind ?? null,
    target_id: entry.target?.id ?? null,
    detail: { ...entry.detail, ...digests(secrets, entry.personal) },
    address: addressOf(secrets, head.ip_policy ?? 'full', entry.client),
    prev_hash
  }
  const hash = rowHash(secrets, row)
  // A seal that does not match is kept, because a new one would hide that the end of the log was changed.
  const isWhole = head.last <= head.count
    && isHeadSealed(secrets, clinic_id, { count: head.count, hash: prev_hash, seal: bytesOf(head.seal)! })
  const seal = isWhole ? headSeal(secrets, clinic_id, row.seq, hash).toString('hex') : head.seal
  await append(tx, { ...row, prev_hash: head.hash, hash: hash.toString('hex'), seal }, head.count)
}

const bytesOf = (hex: string | null) => hex === null ? null : Buffer.from(hex, 'hex')

/** For a request: the token, even if it acts with someone's rights, otherwise the person. */
export function toAuditActor(actor: Actor | AuditActor): AuditActor {
  if ('type' in actor) return actor
  return actor.via === 'token'
    ? { type: 'token', id: actor.token_id, name: actor.name }
    : { type: 'user', id: actor.user_id, name: null }
}

/** Keyed and salted, so that nobody can read or guess the text from the database or from the log. */
function digests(secrets: Macs, personal: Record<string, string> = {}): Record<string, Json> {
  return Object.fromEntries(Object.entries(personal).map(([name, text]) => {
    const salt = randomBytes(16).toString('base64url')
    return [name, { salt, digest: secrets.mac('core.audit.text', `${salt}\n${text}`).toString('base64url') }]
  }))
}

function addressOf(secrets: Macs, policy: 'full' | 'hashed' | 'none', client: Client | null = null): string | null {
  if (!client || policy === 'none') return null
  return policy === 'full' ? client.ip : secrets.mac('core.audit.ip', client.ip).toString('base64url')
}

/**
 * Rows of one chain are appended one after the other. A head that SQL has removed is added again without a seal, after
 * the existing rows: the service keeps running, and the doctor reports it.
 */
async function lockHead(tx: AnyTx, clinic_id: string): Promise<LockedHead> {
  const [head] = await rowsOf<LockedHead>(tx, sql`
    select head.count, coalesce((select max(seq) from core_audit where clinic_id = head.clinic_id), 0) as last, encode(head.hash, 'hex') as hash, encode(head.seal, 'hex') as seal, clinic.ip_policy,
           floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms
    from core_audit_head head left join core_clinic clinic on clinic.id = head.clinic_id
    where head.clinic_id = ${clinic_id}::uuid
    for no key update of head`)
  if (head) return head
  await rowsOf(tx, sql`
    insert into core_audit_head (clinic_id, count, hash, seal)
    select ${clinic_id}::uuid, coalesce(max(seq), 0),
           (select hash from core_audit where clinic_id = ${clinic_id}::uuid order by seq desc limit 1), ''::bytea
    from core_audit where clinic_id = ${clinic_id}::uuid
    on conflict do nothing`)
  return await lockHead(tx, clinic_id)
}

interface NewRow {
  id: string
  clinic_id: string
  seq: number
  at: string
  actor_type: string
  actor_id: string | null
  actor_name: string | null
  action: string
  target_kind: string | null
  target_id: string | null
  detail: Record<string, Json>
  address: string | null
  prev_hash: string | null
  hash: string
  seal: string
}

/** Writes row and head in one statement. Throws without the lock. */
async function append(tx: AnyTx, row: NewRow, count: number): Promise<void> {
  const added = await rowsOf(tx, sql`
    with head as (
      update core_audit_head
      set count = ${row.seq}::int, hash = decode(${row.hash}, 'hex'), seal = decode(${row.seal}, 'hex')
      where clinic_id = ${row.clinic_id}::uuid and count = ${count}::int
      returning clinic_id
    )
    insert into core_audit (id, clinic_id, seq, at, actor_type, actor_id, actor_name, action, target_kind, target_id,
                            detail, address, prev_hash, hash)
    select ${row.id}::uuid, head.clinic_id, ${row.seq}::int, ${row.at}::text::timestamptz, ${row.actor_type}::text,
           ${row.actor_id}::text, ${row.actor_name}::text, ${row.action}::text, ${row.target_kind}::text,
           ${row.target_id}::text, ${JSON.stringify(row.detail)}::text::jsonb, ${row.address}::text,
           decode(${row.prev_hash}::text, 'hex'), decode(${row.hash}, 'hex')
    from head
    returning seq`)
  if (added.length === 0) throw new Error(`the audit log of ${row.clinic_id} was appended to without its lock`)
}
