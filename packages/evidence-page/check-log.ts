import type { HashList, LogExtract } from './types.ts'

/**
 * The row at which the log's chain breaks; 0 for its end or a log that the service itself found changed; null if it is
 * intact.
 */
export function brokenAt({ rows, checkpoint, whole }: LogExtract, end: HashList['log']): number | null {
  let before = { seq: checkpoint?.seq ?? 0, hash: checkpoint?.hash ?? null }
  for (const row of rows) {
    if (row.seq !== before.seq + 1 || row.prev_hash !== before.hash) return before.seq + 1
    before = row
  }
  return whole && before.seq === end.seq && before.hash === end.hash ? null : 0
}
