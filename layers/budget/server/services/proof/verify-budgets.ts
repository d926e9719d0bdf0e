import type { Ctx, Finding } from '@svc/kit'
import { proofs, type Proof, type Which } from '../../db/proof.ts'
import { verifyBudget } from './verify-budget.ts'
import { isHeld } from './verify-content.ts'

export interface Verified {
  budgets: number
  /** Contents whose digest was recomputed. */
  digests: number
  log_rows: number
  signed_pdfs: number
  /** Evidence files kept for erased patients. */
  evidence_files: number
  findings: (Finding & { budget_id?: string })[]
  /** The number of findings beyond those that are listed. */
  left_off: number
}

/** Reading a file waits for a disk or an object store; more at once would only keep more files in memory. */
const AT_ONCE = 8
/** At most this many findings are listed; of the others only the number. */
const LISTED = 1000

export const newSum = (): Verified =>
  ({ budgets: 0, digests: 0, log_rows: 0, signed_pdfs: 0, evidence_files: 0, findings: [], left_off: 0 })

/** Verifies every version that matches `which`, or all without it. Only a few are in memory at a time. */
export async function verifyBudgets(ctx: Ctx, which?: Which): Promise<Verified> {
  const sum = newSum()
  let waiting: Proof[] = []
  const settle = async () => {
    const found = await Promise.all(waiting.map(async proof => ({ proof, faults: await verifyBudget(ctx, proof) })))
    for (const { proof, faults } of found) count(sum, proof, faults)
    waiting = []
  }
  for await (const proof of proofs(ctx.db, which)) {
    if (waiting.push(proof) === AT_ONCE) await settle()
  }
  await settle()
  return sum
}

/** The combined results of two runs. */
export function addUp(one: Verified, other: Verified): Verified {
  const findings = [...one.findings, ...other.findings]
  return {
    budgets: one.budgets + other.budgets,
    digests: one.digests + other.digests,
    log_rows: one.log_rows + other.log_rows,
    signed_pdfs: one.signed_pdfs + other.signed_pdfs,
    evidence_files: one.evidence_files + other.evidence_files,
    findings: findings.slice(0, LISTED),
    left_off: one.left_off + other.left_off + Math.max(0, findings.length - LISTED)
  }
}

function count(sum: Verified, proof: Proof, faults: Awaited<ReturnType<typeof verifyBudget>>): void {
  const { budget, signature, rows } = proof
  sum.budgets += 1
  sum.digests += signature ? 1 : 0
  sum.log_rows += rows.length
  sum.signed_pdfs += budget.signed_pdf_status === 'ready' ? 1 : 0
  sum.evidence_files += isHeld(proof) ? 1 : 0
  const object = `${budget.number} v${budget.version}`
  const listed = faults.slice(0, Math.max(0, LISTED - sum.findings.length))
  sum.findings.push(...listed.map(({ code, message, fix }) => ({ code, object, message, fix, budget_id: budget.id })))
  sum.left_off += faults.length - listed.length
}
