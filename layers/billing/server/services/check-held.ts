import { isProblem, type Ctx, type Finding } from '@svc/kit'
import { listHeld, type InvoiceRow } from '../db/invoices.ts'
import { readHeld } from './held-invoice.ts'

/** Kept invoices whose file is missing or changed, since there is no other copy. */
export async function checkHeld(ctx: Ctx): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const invoice of await listHeld(ctx.db)) {
    if (!await isWhole(ctx, invoice)) {
      findings.push({
        code: 'invoice_damaged',
        object: invoice.number!,
        message: `The kept file ${invoice.held_file} is missing, or is not the one that was written.`,
        fix: 'Restore the file from a backup of the storage.'
      })
    }
  }
  return findings
}

const isWhole = (ctx: Ctx, invoice: InvoiceRow) => readHeld(ctx, invoice).then(() => true, (error: unknown) => {
  if (isProblem(error)) return false
  throw error
})
