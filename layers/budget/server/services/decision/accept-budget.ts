import { problem, type Client, type Ctx } from '@svc/kit'
import { CONSENT_VERSION, type AcceptAnswer, type AcceptRequest } from '../../../shared/public.ts'
import { agreedFields } from './agreed-fields.ts'
import { lockOpenBudget, logUndecided, recordDecision, type Decided, type Decider } from './decide.ts'
import { queueNotice } from './notify-decision.ts'
import { publishFact } from '../budget/publish-fact.ts'

interface Input extends AcceptRequest { by: Decider, client: Client, locale: string | undefined }

/**
 * Decision, record, event and the order for the signed PDF commit together; a job then creates the PDF. Throws
 * `validation_failed` for an image that isn't a signature, and the problems of `lockOpenBudget` and `recordDecision`.
 */
export async function acceptBudget(ctx: Ctx, { by, client, locale, ...request }: Input): Promise<AcceptAnswer> {
  const { signer_name, relationship, signature: { method }, content_digest, selection } = request
  const image = request.signature.method === 'drawn' ? await drawn(request.signature.image) : null
  const signature = { signer_name, relationship, method, image, consent_version: CONSENT_VERSION }

  const decide = () => ctx.db.transaction(async (tx) => {
    const open = await lockOpenBudget(ctx, tx, by)
    const decided = await recordDecision(ctx, tx, open, {
      decision: 'accepted',
      by,
      client,
      locale,
      content_digest,
      selection,
      signature
    })
    const { budget } = decided
    await publishFact(ctx, tx, { name: 'budget.accepted', budget, fields: eventFields(decided, by.via) })
    await ctx.jobs.add(tx, 'seal-document', { budget_id: budget.id }, { key: budget.id })
    await queueNotice(ctx, tx, { budget, by })
    return decided.decided_at
  })
  const decided_at = await logUndecided(ctx, { by, decision: 'accepted', client }, decide)
  return { status: 'accepted', decided_at: decided_at.toISOString(), signed_pdf: { status: 'pending' } }
}

async function drawn(url: string): Promise<Buffer> {
  const { readSignatureImage } = await import('./signature-image.ts') // its decoder is loaded only when needed
  const read = readSignatureImage(url)
  if ('wrong' in read)
    throw problem('validation_failed', { errors: [{ pointer: '/signature/image', message: read.wrong }] })
  return read.png
}

const eventFields = (decided: Decided, accepted_via: Decider['via']) => ({
  decided_at: decided.decided_at.toISOString(),
  accepted_via,
  signature_id: decided.signature_id,
  ...agreedFields(decided)
})
