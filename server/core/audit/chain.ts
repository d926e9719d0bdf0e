import canonicalize from 'canonicalize'
import type { Json } from '@svc/kit'

/** Makes and checks MACs; implemented by `host.secrets`. */
export interface Macs {
  mac (purpose: string, data: string): Buffer
  verifyMac (purpose: string, data: string, mac: Uint8Array): boolean
}

/** The instance's own chain, in addition to those of the clinics. */
export const INSTANCE = '00000000-0000-0000-0000-000000000000'

/** A row as it is hashed into the chain. `at` is ISO 8601 with microseconds. */
export interface ChainedRow {
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
  prev_hash: Uint8Array | null
}

/** The end of a chain, as stored in its sealed head. */
export interface Head { count: number, hash: Uint8Array | null, seal: Uint8Array }

/** Replaces the rows that were trimmed from the beginning of a chain. Instants are ISO 8601 with microseconds. */
export interface Checkpoint {
  clinic_id: string
  seq: number
  hash: Uint8Array
  from_at: string
  to_at: string
  made_at: string
}

const ROW = 'core.audit'
const HEAD = 'core.audit.head'
const CHECKPOINT = 'core.audit.checkpoint'

const hex = (bytes: Uint8Array | null) => bytes === null ? null : Buffer.from(bytes).toString('hex')
export const isSame = (a: Uint8Array | null, b: Uint8Array | null) => hex(a) === hex(b)

function chained(row: ChainedRow): string {
  const { id, clinic_id, seq, at, actor_type, actor_id, actor_name, action } = row
  const { target_kind, target_id, detail, address, prev_hash } = row
  return canonicalize({
    id,
    clinic_id,
    seq,
    at,
    actor_type,
    actor_id,
    actor_name,
    action,
    target_kind,
    target_id,
    detail,
    address,
    prev_hash: hex(prev_hash)
  })!
}

export const rowHash = (macs: Macs, row: ChainedRow): Buffer => macs.mac(ROW, chained(row))
export const isRowSealed = (macs: Macs, row: ChainedRow & { hash: Uint8Array }): boolean =>
  macs.verifyMac(ROW, chained(row), row.hash)

const headText = (clinic_id: string, count: number, hash: Uint8Array | null) => `${clinic_id} ${count} ${hex(hash)}`

export const headSeal = (macs: Macs, clinic_id: string, count: number, hash: Uint8Array | null): Buffer =>
  macs.mac(HEAD, headText(clinic_id, count, hash))
export const isHeadSealed = (macs: Macs, clinic_id: string, { count, hash, seal }: Head): boolean =>
  macs.verifyMac(HEAD, headText(clinic_id, count, hash), seal)

const checkpointText = ({ clinic_id, seq, hash, from_at, to_at, made_at }: Checkpoint) =>
  canonicalize({ clinic_id, seq, hash: hex(hash), from_at, to_at, made_at })!

export const checkpointSeal = (macs: Macs, checkpoint: Checkpoint): Buffer =>
  macs.mac(CHECKPOINT, checkpointText(checkpoint))
export const isCheckpointSealed = (macs: Macs, checkpoint: Checkpoint & { seal: Uint8Array }): boolean =>
  macs.verifyMac(CHECKPOINT, checkpointText(checkpoint), checkpoint.seal)
