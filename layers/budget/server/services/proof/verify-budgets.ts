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

interface Options {
  which?: Which
  /** What an interrupted run has found already. */
  sum?: Verified
  onBudget?: (sofar: Verified) => void
  /** Every now and then, with the id up to which all is done. */
  onBatch?: (after: string, sofar: Verified) => Promise<void>
}

/** Reading a file waits for a disk or an object store; more at once would only hold more files in memory. */
const AT_ONCE = 8
const BATCH = 200
/** Findings that are listed; of the others their number. */
const LISTED = 1000

export const newSum = (): Verified =>
  ({ budgets: 0, digests: 0, log_rows: 0, signed_pdfs: 0, evidence_files: 0, findings: [], left_off: 0 })

/** Every version that is asked for, all without `which`; however many they are, few are in memory. */
export async function verifyBudgets(
  ctx: Ctx,
  { which, sum: before, onBudget, onBatch }: Options = {}
): Promise<Verified> {
  const sum = before ?? newSum()
  let done = 0
  let waiting: Proof[] = []
  const settle = async () => {
    const found = await Promise.all(waiting.map(async proof => ({ proof, faults: await verifyBudget(ctx, proof) })))
    for (const { proof, faults } of found) count(sum, proof, faults)
    waiting = []
    onBudget?.(sum)
    done += found.length
    if (done % BATCH === 0 && done > 0) await onBatch?.(found.at(-1)!.proof.budget.id, sum)
  }
  for await (const proof of proofs(ctx.db, which)) {
    if (waiting.push(proof) === AT_ONCE) await settle()
  }
  if (waiting.length > 0) await settle()
  return sum
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
