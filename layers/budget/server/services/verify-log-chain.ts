import type { Ctx, Finding } from '@svc/kit'
import { chains, type Chain } from '../db/access-log.ts'
import { overduePdfs } from '../db/transitions.ts'
import { firstBreak, type Break } from './log-chain.ts'

const nameOf = ({ number, version }: { number: string, version: number }) => `${number} v${version}`

/** Every log whose rows are not as they were written, with the first row that is wrong. */
export async function verifyLogChain(ctx: Ctx): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const chain of chains(ctx.db)) {
    const broken = firstBreak(ctx.secrets, chain.budget.id, chain.budget, chain.rows) ?? lostWhole(chain)
    if (!broken) continue
    findings.push({
      code: 'log_chain_broken',
      object: nameOf(chain.budget),
      message: `Row ${broken.seq} of the access log${broken.id ? ` (${broken.id})` : ''} ${broken.why}.`,
      fix: 'Compare the log with a backup: somebody changed the database past the service.'
    })
  }
  return findings
}

/** Sending is logged, so a version that was sent has a log. */
function lostWhole({ budget, rows }: Chain): Break | null {
  const wasSent = budget.sent_at !== null
  return wasSent && rows.length === 0 ? { seq: 1, id: null, why: 'is missing' } : null
}

const PATIENCE_MINUTES = 10

/** Accepted budgets whose signed PDF should be ready by now. */
export async function findOverduePdfs(ctx: Ctx): Promise<Finding[]> {
  const rows = await overduePdfs(ctx.db, PATIENCE_MINUTES)
  return rows.map(row => ({
    code: 'signed_pdf_overdue',
    object: nameOf(row),
    message: `The signed PDF is missing since ${row.decided_at?.toISOString()}.`,
    fix: 'Read the rows signed_pdf_error of the budget\'s access log; the job tries again by itself.'
  }))
}
