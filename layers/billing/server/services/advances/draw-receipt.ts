import type { Ctx } from '@svc/kit'
import { clinicLetterhead } from '@svc/sheet/clinic-letterhead.ts'
import { drawSheet } from '@svc/sheet/draw-sheet.ts'
import type { AdvanceKey, StoredAdvance } from '../../db/advances.ts'
import { issuerLines } from '../../pdf/invoice-sheet.ts'
import { invoiceLocale } from '../../pdf/labels.ts'
import { receiptSheet } from '../../pdf/receipt-sheet.ts'
import { holdFile, readHeld } from '../held/held-file.ts'
import { getStoredAdvance } from './get-advance.ts'

/** Draws the receipt of an advance with its current amounts. `wanted` is the reader's language. */
async function drawReceipt(ctx: Ctx, advance: StoredAdvance, wanted?: string): Promise<Uint8Array> {
  const clinic = await ctx.clinics.get(advance.clinic_id)
  const locale = invoiceLocale(...[wanted, advance.locale, clinic.locale].filter(name => name !== undefined))
  const { issuer } = advance
  // Clinic and address at the time when the advance was recorded.
  const letterhead = { ...(await clinicLetterhead(ctx, clinic)), ...issuer, address: issuerLines(issuer, locale) }
  return (await drawSheet(ctx, receiptSheet({ advance, locale, time_zone: clinic.time_zone }), letterhead)).bytes
}

/**
 * The receipt in the reader's language, or the stored document if the patient's data was erased. Throws `not_found`,
 * `invoice_file_mismatch`.
 */
export async function renderReceipt(
  ctx: Ctx,
  { locale, ...key }: AdvanceKey & { locale?: string }
): Promise<{ bytes: Uint8Array, name: string }> {
  const advance = await getStoredAdvance(ctx, key)
  const bytes = await (advance.held_file === null ? drawReceipt(ctx, advance, locale) : readHeld(ctx, advance))
  return { bytes, name: `${advance.number}.pdf` }
}

/** Stores the receipt with its current amounts, once, when the patient's data is erased. */
export const holdReceipt = (ctx: Ctx, advance: StoredAdvance, { dry_run }: { dry_run: boolean }) =>
  holdFile(ctx, `receipts/${advance.id}-${advance.edit}.pdf`, { dry_run, draw: () => drawReceipt(ctx, advance) })
