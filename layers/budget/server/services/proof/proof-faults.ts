import type { Ctx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import { findProof, findState } from '../../db/proof.ts'
import { isLogEmpty } from '../log/log-chain.ts'
import { verifyWithoutFiles } from './verify-budget.ts'

/**
 * An open page requests them every few seconds. Results are cached for this time, unless a row of the budget changes.
 */
const FRESH_MS = 30_000
const MAX_CACHED = 500

const known = new Map<string, { state: string, until: number, codes: string[] }>()

/**
 * Codes of the faults that `svc budgets verify` would report for this version. Of stored files only the fingerprints
 * are compared, which is fast enough for a page.
 */
export async function proofFaults(ctx: Ctx, budget: BudgetRow): Promise<string[]> {
  if (budget.status === 'draft' && isLogEmpty(ctx.secrets, budget)) return []
  const state = await findState(ctx.db, budget.id)
  const seen = known.get(budget.id)
  if (seen?.state === state && performance.now() < seen.until) return seen.codes
  const codes = await findFaults(ctx, budget.id)
  if (known.size >= MAX_CACHED) known.clear()
  known.set(budget.id, { state, until: performance.now() + FRESH_MS, codes })
  return codes
}

async function findFaults(ctx: Ctx, id: string): Promise<string[]> {
  const proof = await findProof(ctx.db, id)
  return proof ? [...new Set((await verifyWithoutFiles(ctx, proof)).map(({ code }) => code))] : []
}
