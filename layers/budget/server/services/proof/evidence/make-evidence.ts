import { problem, type Ctx } from '@svc/kit'
import type { BudgetRow } from '../../../db/budgets.ts'
import { findProof, type Proof } from '../../../db/proof.ts'
import type { SignatureRow } from '../../../db/signatures.ts'
import { readSignedPdf } from '../../budget/read-signed-pdf.ts'
import { verifyRecord } from '../verify-budget.ts'
import { checkPage } from './check-page.ts'
import { decisionRecord } from './decision-record.ts'
import { canonical, sha256Of, utf8, zip, type Files } from './files.ts'
import { listHashes, signatureText } from './hash-list.ts'
import { logExtract } from './log-extract.ts'
import { messagesFile, withdrawalRecord, type Wording } from './more-files.ts'
import { readMe } from './read-me.ts'

interface Accepted { budget: BudgetRow, signature: SignatureRow }

/**
 * A ZIP with everything that proves an acceptance, which can be verified without us. Only reads, also inside a
 * transaction. Throws `not_signed`, `signed_pdf_pending` or `fingerprint_mismatch`, because evidence must be complete.
 */
export async function makeEvidence(
  ctx: Ctx,
  { budget, signature, without_texts = false }: Accepted & Partial<Wording>
): Promise<Uint8Array> {
  const pdf = await signedPdf(ctx, { budget, signature })
  const certificate = await ctx.documents.certificate()
  const proof = await provenRecord(ctx, budget)
  const log = logExtract(ctx, proof)
  const withdrawal = await withdrawalRecord(ctx, budget, { without_texts })
  const messages = await messagesFile(ctx, budget, { without_texts })
  const files: Files = {
    'signed.pdf': pdf,
    'content.json': utf8(signature.content),
    'signature.json': utf8(canonical(await decisionRecord(ctx, { budget, signature, proof }))),
    ...signature.image ? { 'signature.png': new Uint8Array(signature.image) } : {},
    'access-log.json': utf8(canonical(log)),
    ...withdrawal ? { 'withdrawal.json': utf8(canonical(withdrawal)) } : {},
    ...messages ? { 'messages.json': utf8(canonical(messages)) } : {},
    'certificate.pem': utf8(`${certificate.pem.trim()}\n`),
    'README.txt': utf8(readMe(budget))
  }
  const list = utf8(canonical(await listHashes(ctx, { budget, files, log, certificate })))
  const signed: Files = {
    ...files,
    'hashes.json': list,
    'hashes.sig': utf8(signatureText(await ctx.documents.sign(list)))
  }
  const all: Files = { 'check.html': checkPage(signed), ...signed }
  return zip({ ...all, SHA256SUMS: sums(all) }, signature.decided_at)
}

async function signedPdf(ctx: Ctx, { budget, signature }: Accepted): Promise<Uint8Array> {
  if (budget.signed_pdf_status === 'none' || signature.decision !== 'accepted') throw problem('not_signed')
  if (budget.signed_pdf_status === 'pending') throw problem('signed_pdf_pending', { retry_after: 2 })
  const pdf = await readSignedPdf(ctx, budget)
  if (!pdf) throw problem('fingerprint_mismatch')
  return pdf
}

/** The service does not sign a record merely because it is in the database. */
async function provenRecord(ctx: Ctx, { id }: BudgetRow): Promise<Proof> {
  const proof = await findProof(ctx.db, id)
  if (!proof || (await verifyRecord(ctx, proof)).length > 0)
    throw problem('fingerprint_mismatch', {
      detail: 'The record of its acceptance was changed, see svc budgets verify.'
    })
  return proof
}

/** The format that `sha256sum -c` reads. */
const sums = (files: Files) =>
  utf8(
    Object.entries(files)
      .map(([name, bytes]) => `${sha256Of(bytes)}  ${name}\n`)
      .join('')
  )
