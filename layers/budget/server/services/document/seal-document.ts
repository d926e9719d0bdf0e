import { createHash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import { drawSheet, inspectSheet } from '@svc/sheet/draw-sheet.ts'
import type { Rendered } from '@svc/sheet/pdf/render.ts'
import { drawnText } from '@svc/sheet/text/direction.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { findAccepted, markReady } from '../../db/documents.ts'
import type { SignatureRow } from '../../db/signatures.ts'
import { findProof, type Proof } from '../../db/proof.ts'
import { errorText } from '../../../shared/domain/error-text.ts'
import { budgetSheet } from '../../pdf/budget-sheet.ts'
import { labelsFor } from '../../pdf/labels.ts'
import { lockHead } from '../../db/access-log.ts'
import { logAccess } from '../log/log-access.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { signedDocument } from './signed-document.ts'

interface Options {
  attempt?: number
  /** Returns the faults of a version. */
  verify: (ctx: Ctx, proof: Proof) => Promise<{ message: string }[]>
}

/** A download keeps the whole file in memory. */
const MAX_DOCUMENT_BYTES = 20_000_000

/**
 * The job that creates the signed PDF of an accepted version. Runs at least once, and may run several times at once:
 * the row that becomes `ready` names the only valid file, and files of other runs are never used. A failure is logged
 * and thrown, so that the job is retried.
 */
export async function sealDocument(
  ctx: Ctx,
  { budget_id }: { budget_id: string },
  { attempt = 1, verify }: Options
): Promise<void> {
  const accepted = await findAccepted(ctx.db, budget_id)
  if (accepted?.budget.signed_pdf_status !== 'pending') return
  try {
    await assertProven(ctx, budget_id, verify)
    await commit(ctx, accepted.budget, await store(ctx, accepted))
  } catch (error) {
    await logFailure(ctx, budget_id, attempt, error)
    throw error
  }
}

/** An acceptance that was written directly into the database is not sealed. */
async function assertProven(ctx: Ctx, budget_id: string, verify: Options['verify']): Promise<void> {
  const proof = await findProof(ctx.db, budget_id)
  const [fault] = proof ? await verify(ctx, proof) : []
  if (fault) throw new Error(`The acceptance is not proven. ${fault.message}`)
}

interface Stored { key: string, sha256: string, time_stamp: boolean }

/** Draws, verifies, seals, verifies again and writes the file once. Nothing refers to it yet. */
async function store(ctx: Ctx, { budget, signature }: { budget: BudgetRow, signature: SignatureRow }): Promise<Stored> {
  const document = await signedDocument(ctx, { budget, signature })
  const rendered = await drawSheet(ctx, budgetSheet(document), document.clinic)
  const { labels } = labelsFor(document.locale)
  const { bytes, time_stamp } = await ctx.documents.seal(rendered.bytes, {
    reason: labels.statement(document.number, document.version, rendered.total),
    signer: document.clinic.name,
    signed_at: signature.decided_at
  })
  await assertComplete(ctx, bytes, rendered)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const key = `${budget.clinic_id}/${budget.id}/${sha256}.pdf`
  await ctx.files.writeOnce(key, bytes)
  return { key, sha256, time_stamp }
}

/** An empty or broken file must never become the permanent copy. */
async function assertComplete(ctx: Ctx, bytes: Uint8Array, { pages, total }: Rendered): Promise<void> {
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new RangeError(`The signed PDF has ${bytes.length} bytes, more than ${MAX_DOCUMENT_BYTES}`)
  const found = await inspectSheet(ctx, bytes)
  if (found.pages !== pages) throw new Error(`The signed PDF has ${found.pages} pages in place of ${pages}`)
  if (!found.text.includes(drawnText(total))) throw new Error('The signed PDF does not show its total')
}

/** Status, fingerprint, log row and event commit together. */
async function commit(ctx: Ctx, budget: BudgetRow, { key, sha256, time_stamp }: Stored): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockHead(tx, budget.id) // parallel runs and the access log are serialized
    if (!await markReady(tx, { budget_id: budget.id, key, sha256 })) return
    await logAccess(ctx, tx, {
      budget_id: budget.id,
      action: 'signed_pdf_ready',
      actor: 'system',
      detail: { sha256, time_stamp }
    })
    await publishFact(ctx, tx, { name: 'budget.signed_pdf_ready', budget, fields: { sha256 } })
  })
}

/** The job's own error is thrown, even if logging fails because the database caused it. */
async function logFailure(ctx: Ctx, budget_id: string, attempt: number, error: unknown): Promise<void> {
  ctx.log.error('signed_pdf.failed', { budget_id, attempt, error })
  await ctx.db
    .transaction(tx =>
      logAccess(ctx, tx, {
        budget_id,
        action: 'signed_pdf_error',
        success: false,
        actor: 'system',
        detail: { error: errorText(error), attempt }
      })
    )
    .catch((second: unknown) => ctx.log.error('signed_pdf.failure_not_logged', { budget_id, error: second }))
}
