import { createHash } from 'node:crypto'
import { problem, type Ctx } from '@svc/kit'
import type { InvoiceRow } from '../db/invoices.ts'
import { drawInvoice } from './draw-invoice.ts'

/**
 * The document as it stands, written once. The key says which state of the invoice it shows: an erasure that was broken
 * off after the file was written finds it again, and leaves no second one.
 */
export async function holdInvoice(
  ctx: Ctx,
  invoice: InvoiceRow,
  { dry_run }: { dry_run: boolean }
): Promise<{ file: string, sha256: string }> {
  const file = `invoices/${invoice.id}-${invoice.edit}.pdf`
  if (dry_run) return { file, sha256: '' } // rolled back
  const stored = await writeOrRead(ctx, file, await drawInvoice(ctx, invoice))
  return { file, sha256: sha256Of(stored) }
}

/** The letterhead may have changed since the first try: what was written then shows the same invoice. */
async function writeOrRead(ctx: Ctx, file: string, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    await ctx.files.writeOnce(file, bytes)
    return bytes
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
    return await ctx.files.read(file)
  }
}

/** Throws `invoice_file_mismatch`: only the document that was kept is sent. */
export async function readHeld(ctx: Ctx, { held_file, held_sha256 }: InvoiceRow): Promise<Uint8Array> {
  const bytes = await ctx.files.read(held_file!).catch((error: { code?: unknown }) => {
    throw error.code === 'ENOENT' ? problem('invoice_file_mismatch') : error
  })
  if (sha256Of(bytes) !== held_sha256) throw problem('invoice_file_mismatch')
  return bytes
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
