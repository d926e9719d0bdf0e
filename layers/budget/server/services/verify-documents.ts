import type { Ctx, Finding } from '@svc/kit'
import { storedDocuments } from '../db/documents.ts'
import { readStored } from './download-signed-pdf.ts'

/** Every signed PDF whose stored bytes are gone or no longer match their fingerprint. */
export async function verifyDocuments(ctx: Ctx): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const document of storedDocuments(ctx.db)) {
    if (await readStored(ctx, document)) continue
    findings.push({
      code: 'fingerprint_mismatch',
      object: `${document.number} v${document.version}`,
      message: `The stored file ${document.signed_pdf_key} is missing or is not the one that was signed (${document.signed_pdf_sha256}).`,
      fix: 'Put the file back from a backup of storage/documents.'
    })
  }
  return findings
}
