import type { Ctx, Finding } from '@svc/kit'
import { overduePdfs } from '../../db/transitions.ts'
import { face } from '@svc/sheet/text/fonts.ts'
import { checkCodeChannels } from '../link/sent-code/check-code-channels.ts'
import { verifyBudgets } from './verify-budgets.ts'
import { verifyNumbers } from './verify-numbers.ts'
import { verifyTraces } from './verify-traces.ts'

/**
 * For `svc modules doctor`: every broken proof, missing budgets, reasons why documents can't be created, overdue
 * documents, and channels that bring no codes.
 */
export async function examine(ctx: Ctx): Promise<Finding[]> {
  const { findings, left_off } = await verifyBudgets(ctx)
  return [
    ...missingFonts(),
    ...findings.map(({ code, object, message, fix }) => ({ code, object, message, fix })),
    ...(left_off > 0
      ? [{ code: 'findings_left_off', object: 'budgets', message: `And ${left_off} more.`, fix: 'svc budgets verify' }]
      : []),
    ...(await verifyNumbers(ctx)),
    ...(await verifyTraces(ctx)),
    ...(await findOverduePdfs(ctx)),
    ...(await checkCodeChannels(ctx))
  ]
}

/** Without its fonts a renderer fails for each document, so this is reported before the first patient accepts. */
function missingFonts(): Finding[] {
  try {
    for (const name of ['regular', 'bold', 'script'] as const) face(name)
    return []
  } catch (error) {
    return [
      {
        code: 'pdf_fonts_missing',
        object: 'pdf',
        message: String((error as Error).message),
        fix: 'Install the locked dependencies again: npm ci'
      }
    ]
  }
}

const OVERDUE_AFTER_MINUTES = 10

/** Accepted budgets whose signed PDF should be ready by now. */
async function findOverduePdfs(ctx: Ctx): Promise<Finding[]> {
  const rows = await overduePdfs(ctx.db, OVERDUE_AFTER_MINUTES)
  return rows.map(({ number, version, decided_at }) => ({
    code: 'signed_pdf_overdue',
    object: `${number} v${version}`,
    message: `The signed PDF has been missing since ${decided_at?.toISOString()}.`,
    fix: 'Read the rows signed_pdf_error of the budget\'s access log; the job retries automatically.'
  }))
}
