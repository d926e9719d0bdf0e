import { isProblem, type Ctx, type Finding } from '@svc/kit'
import { listHeldAdvances } from '../../db/advances.ts'
import { listHeld } from '../../db/invoices.ts'
import { readHeld, type HeldFile } from './held-file.ts'

/** Stored invoices and receipts whose file is missing or changed. There is no other copy of them. */
export async function checkHeld(ctx: Ctx): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const kept of [...await listHeld(ctx.db), ...await listHeldAdvances(ctx.db)]) {
    if (!await isWhole(ctx, kept)) {
      findings.push({
        code: 'invoice_damaged',
        object: kept.number!,
        message: `The kept document ${kept.held_file} is missing, or is not the one that was written.`,
        fix: 'Restore the file from a backup of the storage.'
      })
    }
  }
  return findings
}

const isWhole = (ctx: Ctx, kept: HeldFile) => readHeld(ctx, kept).then(() => true, (error: unknown) => {
  if (isProblem(error)) return false
  throw error
})
