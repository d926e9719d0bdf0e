import type { Ctx } from '@svc/kit'
import type { CheckDocumentAnswer } from '../../shared/documents.ts'
import { findByFingerprint } from '../db/documents.ts'
import type { PricedContent } from './content.ts'

/** Whether a file of this hash is a signed PDF of this instance. The clinic's name is the one that the file shows. */
export async function checkDocument(ctx: Ctx, { sha256 }: { sha256: string }): Promise<CheckDocumentAnswer> {
  const found = await findByFingerprint(ctx.db, sha256)
  if (!found) return { match: false, signed_at: null, clinic_name: null }
  const content = JSON.parse(found.content) as PricedContent
  return { match: true, signed_at: found.decided_at.toISOString(), clinic_name: content.clinic.name }
}
