import type { LogFacts } from '../db/schema.ts'
import { readable, type ChainedRow } from './log-chain.ts'

/** What a log vouches for, by the rows that are left of it and by what its checkpoint took over from others. */
export function logFacts(checkpoint: { facts: LogFacts } | null, rows: readonly Pick<ChainedRow, 'action' | 'detail'>[]): LogFacts {
  return Object.assign({}, checkpoint?.facts, ...rows.map(factsOf)) as LogFacts
}

function factsOf({ action, detail }: Pick<ChainedRow, 'action' | 'detail'>): LogFacts {
  const read = readable(detail)
  if (action === 'accepted' || action === 'rejected') return textsOf({ decision: action, signature_id: read.signature_id, record: read.record, content_digest: read.content_digest })
  return action === 'signed_pdf_ready' ? textsOf({ signed_pdf_sha256: read.sha256 }) : {}
}

/** An erased digest vouches for nothing any more. */
const textsOf = (facts: Record<string, unknown>): LogFacts => Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value === 'string'))
