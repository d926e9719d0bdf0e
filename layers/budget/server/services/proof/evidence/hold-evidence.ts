import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { problem, type Ctx } from '@svc/kit'
import type { BudgetRow } from '../../../db/budgets.ts'
import type { SignatureRow } from '../../../db/signatures.ts'
import { makeEvidence } from './make-evidence.ts'

interface Order { budget: BudgetRow, signature: SignatureRow, dry_run: boolean }

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Writes the evidence as one file, once, before the rows from which it was made are emptied. A failed earlier erasure
 * may have left one: it proves the same, and is then used.
 */
export async function holdEvidence(
  ctx: Ctx,
  { budget, signature, dry_run }: Order
): Promise<{ evidence_key: string, evidence_sha256: string }> {
  const evidence_key = `${budget.clinic_id}/${budget.id}/evidence.zip`
  const bytes = await makeEvidence(ctx, { budget, signature, without_texts: true })
  if (dry_run) return { evidence_key, evidence_sha256: sha256(bytes) }
  try {
    await ctx.files.writeOnce(evidence_key, bytes)
    return { evidence_key, evidence_sha256: sha256(bytes) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const earlier = await ctx.files.read(evidence_key)
    assertProves(earlier, { budget, signature })
    return { evidence_key, evidence_sha256: sha256(earlier) }
  }
}

function assertProves(bytes: Uint8Array, { budget, signature }: Omit<Order, 'dry_run'>): void {
  const { 'content.json': content, 'signed.pdf': pdf } = readZip(bytes)
  if (content && pdf && sha256(content) === signature.content_digest && sha256(pdf) === budget.signed_pdf_sha256) return
  throw problem('fingerprint_mismatch', {
    detail:
      'Another file is already stored in place of the evidence, and it doesn’t prove this acceptance. '
      + 'Move it out of storage/documents.'
  })
}

function readZip(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ name }) => name === 'content.json' || name === 'signed.pdf' })
  } catch {
    return {} // not a ZIP: proves nothing
  }
}
