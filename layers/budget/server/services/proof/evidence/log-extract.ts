import type { Ctx } from '@svc/kit'
import type { LogExtract, LogExtractRow } from '@svc/evidence-page/types.ts'
import type { ChainRow, CheckpointRow, Proof } from '../../../db/proof.ts'
import { findBreak } from '../../log/find-break.ts'
import type { Detail } from '../../log/log-chain.ts'

/**
 * A budget's log for the evidence. Its hashes are keyed, so that only the service can detect a changed row, and states
 * the result here. Everyone can check that the rows follow each other and end where the signed list says.
 */
export function logExtract(ctx: Ctx, proof: Proof): LogExtract {
  const { id, number, version } = proof.budget
  return {
    budget_id: id,
    number,
    version,
    whole: findBreak(ctx, proof) === null,
    checkpoint: proof.checkpoint && extractCheckpoint(proof.checkpoint),
    rows: proof.rows.map(extractRow)
  }
}

const extractCheckpoint = ({ seq, hash, rows, from_at, to_at, made_at }: CheckpointRow): LogExtract['checkpoint'] => ({
  seq,
  hash: hex(hash)!,
  rows,
  from_at,
  to_at,
  made_at
})

const extractRow = ({ seq, at, action, success, actor, detail, prev_hash, hash }: ChainRow): LogExtractRow =>
  ({
    seq, at, action, success, actor,
    detail: withoutPersonalData(detail),
    prev_hash: hex(prev_hash),
    hash: hex(hash)!
  })

const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex')

/**
 * Ids, codes and counts. All other details could contain personal data or reveal the machine: a person's text, the text
 * of an error.
 */
const DESCRIBED = [
  'attempt',
  'as',
  'channel',
  'code',
  'content_digest',
  'days',
  'failed_attempts',
  'generated',
  'locked_until',
  'message_id',
  'module',
  'new_link',
  'reason',
  'requested_by',
  'revision_id',
  'seconds',
  'sha256',
  'signature_id',
  'superseded_by_id',
  'version'
]

function withoutPersonalData(detail: Detail): Detail {
  return Object.fromEntries(Object.entries(detail).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return 'sha256' in value ? [[name, { sha256: value.sha256 }]] : []
    return DESCRIBED.includes(name) ? [[name, value]] : []
  }))
}
