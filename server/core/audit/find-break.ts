import type { Db, Tx } from '@svc/kit'
import { isCheckpointSealed, isHeadSealed, isRowSealed, isSame, type Macs } from './chain.ts'
import { chainBatches, findCheckpoint, findHead } from './read-chain.ts'

/** The position in the chain, from 1, and what is wrong there. */
export interface Break { seq: number, why: string }

/**
 * The first row that has been changed; null if the chain, or what follows its checkpoint, is intact. Call it in a
 * transaction with one snapshot, or under the lock of the head.
 */
export async function findBreak(tx: Tx | Db, macs: Macs, clinic_id: string): Promise<Break | null> {
  const head = await findHead(tx, clinic_id)
  const checkpoint = await findCheckpoint(tx, clinic_id)
  if (checkpoint && !isCheckpointSealed(macs, checkpoint))
    return { seq: 1, why: `was removed, and the checkpoint of the rows up to ${checkpoint.seq} was changed` }
  let seq = checkpoint?.seq ?? 0
  let hash: Uint8Array | null = checkpoint?.hash ?? null
  for await (const rows of chainBatches(tx, clinic_id)) {
    for (const row of rows) {
      if (row.seq > seq + 1) return { seq: seq + 1, why: 'is missing' }
      if (row.seq <= seq) return { seq: row.seq, why: 'has no place in the log' }
      if (!isSame(row.prev_hash, hash) || !isRowSealed(macs, row)) return { seq: row.seq, why: 'was changed' }
      seq = row.seq
      hash = row.hash
    }
  }
  if (!head || !isHeadSealed(macs, clinic_id, head)) return { seq, why: 'is not the sealed end of the log' }
  if (head.count > seq) return { seq: seq + 1, why: 'is missing' }
  if (head.count < seq) return { seq: head.count + 1, why: 'was added behind the end of the log' }
  return isSame(head.hash, hash) ? null : { seq, why: 'is not the sealed end of the log' }
}
