import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { BudgetRow } from '../../db/budgets.ts'
import type { NewSignature } from '../../db/signatures.ts'
import type { Macs } from './log-chain.ts'

const RECORD = 'budget.signature'
const MEMBERS = [
  'id', 'budget_id', 'decision', 'signer_name', 'relationship', 'method', 'consent_version', 'reason', 'reason_code',
  'ip', 'user_agent', 'witness_id', 'time_zone', 'locale', 'decided_via', 'decided_at'
] as const

/** Missing from records of earlier releases, which are sealed without them. */
const OWNERS = ['patient_id', 'author_id'] as const
const CONSENT = ['consent_text'] as const

/** Who decided, how and when: the whole record, except the content, which has a digest, and later changes. */
type Recorded = Pick<
  NewSignature,
  Exclude<(typeof MEMBERS)[number], 'decided_via' | 'decided_at'> | (typeof OWNERS)[number] | (typeof CONSENT)[number] | 'image'
>
& Pick<BudgetRow, 'decided_via'> & { /** ISO 8601 to the microsecond. */ decided_at: string }

function textOf(record: Recorded): string {
  const picture = record.image ? createHash('sha256').update(record.image).digest('hex') : null
  const members = [...MEMBERS, ...(record.patient_id ? OWNERS : []), ...(record.consent_text ? CONSENT : [])]
  return canonicalize({ ...Object.fromEntries(members.map(name => [name, record[name] ?? null])), picture })!
}

/** Base64url. Keyed, so that it can be kept after the data is erased: it can't be used to test a guessed name. */
export const recordSeal = (macs: Macs, record: Recorded): string =>
  macs.mac(RECORD, textOf(record)).toString('base64url')

export const isRecordSealed = (macs: Macs, record: Recorded, seal: string): boolean =>
  macs.verifyMac(RECORD, textOf(record), Buffer.from(seal, 'base64url'))
