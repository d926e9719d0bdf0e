import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { findSuccessors } from '../../db/successors.ts'
import { compareWithBackup, type Fault } from './fault.ts'
import { isRemovedSealed } from '../log/number-seal.ts'
import { digestOffer, endsInTime, findSealForm, isSentByLog, wasSent } from '../log/sent-seal.ts'

const fix = compareWithBackup('the budget')

/** Verifies that the sent content matches the rows and the log. A broken log is not compared. */
export function verifySent(ctx: Ctx, proof: Proof, facts: LogFacts | null): Fault[] {
  const { budget, items } = proof
  const sent = { budget, items, digest: digestOffer(budget, items, '').digest }
  const logged = facts?.sent === undefined ? null : Buffer.from(facts.sent, 'base64url')
  const form = findSealForm(ctx.secrets, sent, logged)
  if (facts && !fitsLog(proof, facts, form === 'full'))
    return tampered('Its state or clinic is not the one that its access log knows.')
  if (!wasSent(budget) || budget.erased_at !== null) return []
  // Row and log usually have the same seal, which is then computed only once.
  const isSealed = logged && budget.sent_seal && logged.equals(budget.sent_seal)
    ? form !== null
    : findSealForm(ctx.secrets, sent, budget.sent_seal) !== null
  if ((!facts || form !== null) && isSealed && endsInTime(budget)) return []
  return tampered('Its content, patient, author or validity is not what was sent.')
}

const tampered = (message: string): Fault[] => [{ code: 'content_tampered', message, fix }]

/**
 * An event in the log cannot be undone in the row, and a row cannot claim one that is not in the log. Rows of earlier
 * releases contain less.
 */
function fitsLog(proof: Proof, { superseded_by, cancelled }: LogFacts, logsEnds: boolean): boolean {
  const { status, superseded_by_id, sent_at, clinic_id } = proof.budget
  if (proof.rows.some(row => row.clinic_id !== clinic_id)) return false
  if (superseded_by !== undefined) return status === 'superseded' && superseded_by_id === superseded_by
  if (cancelled) return status === 'cancelled'
  if (status === 'draft' && proof.checkpoint) return false // only a closed version has one
  if (isSentByLog(proof) && (status === 'draft' || sent_at === null)) return false
  return !logsEnds || (status !== 'cancelled' && status !== 'superseded')
}

/** Newer versions in the log must exist. For one that was never sent, a sealed note of its deletion is enough. */
export async function verifySuccessors(ctx: Ctx, { budget }: Proof, facts: LogFacts | null): Promise<Fault[]> {
  const successor = facts?.superseded_by ?? budget.superseded_by_id
  const ids = new Set([...facts?.revisions ?? [], ...successor ? [successor] : []])
  if (ids.size === 0) return []
  const { found, notes } = await findSuccessors(ctx.db, [...ids])
  const removed = notes
    .filter(note => isRemovedSealed(ctx.secrets, note) && note.budget_id !== successor)
    .map(note => note.budget_id)
  const gone = [...ids].filter(id => !found.includes(id) && !removed.includes(id))
  return gone.map(id => ({
    code: 'budget_gone',
    message: `A newer version of it (${id}) was deleted directly in the database.`,
    fix
  }))
}
