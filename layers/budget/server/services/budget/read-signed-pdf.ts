import { hash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { SignedPdfRow } from '../../db/documents.ts'
import { findFile } from './find-file.ts'

/** Null if the file is missing or its bytes are not those that were sealed. */
export async function readSignedPdf(
  ctx: Ctx,
  { id, signed_pdf_key, signed_pdf_sha256 }: Pick<SignedPdfRow, 'id' | 'signed_pdf_key' | 'signed_pdf_sha256'>
): Promise<Uint8Array | null> {
  const bytes = await findFile(ctx, signed_pdf_key!)
  if (bytes && hash('sha256', bytes) === signed_pdf_sha256) return bytes
  ctx.log.error('signed_pdf.mismatch', { budget_id: id, key: signed_pdf_key, missing: bytes === null })
  return null
}
