import type { Ctx, Finding } from '@svc/kit'
import { storedDocuments } from '../db/documents.ts'
import { face } from '../pdf/fonts.ts'
import { readStored } from './download-signed-pdf.ts'

/** What keeps documents from being made, and every signed PDF whose stored bytes are gone or no longer match their fingerprint. */
export async function verifyDocuments(ctx: Ctx): Promise<Finding[]> {
  const findings = missingFonts()
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

/** Without its fonts a renderer fails with each document; better known before the first patient accepts. */
function missingFonts(): Finding[] {
  try {
    for (const name of ['regular', 'bold', 'script'] as const) face(name)
    return []
  } catch (error) {
    return [{ code: 'pdf_fonts_missing', object: 'pdf', message: String((error as Error).message), fix: 'Install the locked dependencies again: npm ci' }]
  }
}
