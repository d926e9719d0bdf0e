import { problem, type Client, type Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import { CONSENT_VERSION, type AcceptAnswer, type AcceptRequest } from '../../../shared/public.ts'
import { sum } from '../../../shared/domain/pricing.ts'
import type { Selection } from '../../../shared/domain/selection.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import type { ItemRow } from '../../db/items.ts'
import { hasChoices, type WithChoices } from '../budget/offer.ts'
import { lockOpenBudget, recordDecision, triedBy, type Decided, type Decider } from './decide.ts'
import { queueNotice } from './notify-decision.ts'
import { taxModeOf } from '../budget/shown-columns.ts'
import { logTampering } from '../log/log-tampering.ts'
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
  const decided_at = await logTampering(ctx, triedBy(by, 'accepted', client), decide)
  return { status: 'accepted', decided_at: decided_at.toISOString(), signed_pdf: { status: 'pending' } }
}

async function drawn(url: string): Promise<Buffer> {
  const { readSignatureImage } = await import('./signature-image.ts') // its decoder is loaded only when needed
  const read = readSignatureImage(url)
  if ('wrong' in read)
    throw problem('validation_failed', { errors: [{ pointer: '/signature/image', message: read.wrong }] })
  return read.png
}

function eventFields(
  { budget, items, offered, signature_id, content_digest, decided_at }: Decided,
  accepted_via: Decider['via']
) {
  const money = (minor: bigint) => formatMoney(minor, budget.currency)
  return {
    decided_at: decided_at.toISOString(),
    accepted_via,
    signature_id,
    total: money(budget.total),
    currency: budget.currency,
    ...taxModeOf(budget),
    content_digest,
    items: items.map(item => ({
      item_id: item.id,
      treatment_id: item.treatment_id,
      code: item.code,
      quantity: item.quantity,
      price: money(item.price)
    })),
    ...(hasChoices(budget) && budget.selection ? chosenFields(budget, offered, budget.selection) : {})
  }
}

/** The selection, and each option that was not chosen, with the sum of its lines before the discount on the total. */
function chosenFields(budget: WithChoices<BudgetRow>, offered: ItemRow[], selection: Selection) {
  const totalOf = (id: string) => sum(offered.filter(({ option_id }) => option_id === id).map(({ price }) => price))
  const not_chosen = budget.choices.flatMap(choice =>
    choice.options
      .filter(({ id }) => selection[choice.id] !== id)
      .map(({ id, title }) => ({
        choice_id: choice.id,
        option_id: id,
        title,
        total: formatMoney(totalOf(id), budget.currency)
      }))
  )
  return { selection, not_chosen }
}
