import type { Macs } from './log-chain.ts'

const ERASED = 'budget.erased'

/** What an erasure proves: its instant, and the files kept as proof. */
export interface Erased {
  budget_id: string
  /** ISO 8601 to the microsecond. */ erased_at: string
  content_digest: string | null
  evidence_key: string | null
  evidence_sha256: string | null
}

const textOf = ({ budget_id, erased_at, content_digest, evidence_key, evidence_sha256 }: Erased) =>
  [budget_id, erased_at, content_digest ?? '-', evidence_key ?? '-', evidence_sha256 ?? '-'].join(' ')

/**
 * A budget that was emptied directly in the database, or whose proof was replaced by another file, has no such seal.
 */
export const erasureSeal = (macs: Macs, erased: Erased): Buffer => macs.mac(ERASED, textOf(erased))

export const isErasureSealed = (macs: Macs, erased: Erased, seal: Uint8Array | null): boolean =>
  seal !== null && macs.verifyMac(ERASED, textOf(erased), seal)
