import type { Ctx, Finding } from '@svc/kit'
import { proofs, type Proof, type Which } from '../../db/proof.ts'
import { verifyBudget } from './verify-budget.ts'
import { isHeld } from './verify-content.ts'

export interface Verified {
  budgets: number
  /** Contents whose digest was computed again. */
  digests: number
  log_rows: number
  signed_pdfs: number
  /** Held for patients who were erased. */
  evidence_files: number
  findings: (Finding & { budget_id?: string })[]
  /** Findings beyond those that are listed. */
  left_off: number
}

/** Reading a file waits for a disk or an object store; more at once would only hold more files in memory. */
const AT_ONCE = 8
/** Findings that are listed; of the others their number. */
const LISTED = 1000

export const newSum = (): Verified =>
  ({ budgets: 0, digests: 0, log_rows: 0, signed_pdfs: 0, evidence_files: 0, findings: [], left_off: 0 })

/** Every version that is asked for, all without `which`; however many they are, few are in memory. */
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

/** What two runs have found together. */
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
