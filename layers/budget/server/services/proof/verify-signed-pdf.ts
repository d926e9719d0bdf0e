import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { readSignedPdf } from '../budget/read-signed-pdf.ts'
import { compareWithBackup, type Fault } from './fault.ts'

const COMPARE = compareWithBackup('the budget')

/** The stored bytes must be those that were signed, and all copies of their fingerprint must agree. */
export async function verifySignedPdf(ctx: Ctx, proof: Proof, facts: LogFacts | null): Promise<Fault[]> {
  const { budget } = proof
  const { signed_pdf_status, signed_pdf_key, signed_pdf_sha256 } = budget
  if (signed_pdf_status === 'ready' && (signed_pdf_key === null || !await readSignedPdf(ctx, budget))) {
    return [{
      code: 'fingerprint_mismatch',
      message: `The stored file ${signed_pdf_key} is missing or is not the one that was signed (${signed_pdf_sha256}).`,
      fix: 'Restore the file from a backup of storage/documents, or of the bucket.'
    }]
  }
  return verifyFingerprint(proof, facts)
}

/** The same without the bytes. */
export function verifyFingerprint({ budget, signature }: Proof, facts: LogFacts | null): Fault[] {
  const { status, signed_pdf_status, signed_pdf_sha256 } = budget
  if (signed_pdf_status !== 'ready') {
    const isLost = status === 'accepted' && signed_pdf_status !== 'pending'
    return isLost
      ? [
          {
            code: 'signed_pdf_missing',
            message: 'It was accepted, but it has no signed PDF, and none is being made.',
            fix: COMPARE
          }
        ]
      : []
  }
  const isSame
    = signature?.document_sha256 === signed_pdf_sha256 && (!facts || facts.signed_pdf_sha256 === signed_pdf_sha256)
  if (isSame) return []
  return [
    {
      code: 'fingerprint_changed',
      message: `The fingerprint of its signed PDF (${signed_pdf_sha256}) is not the one of its record and its access log.`,
      fix: COMPARE
    }
  ]
}
