import type { Ctx } from '@svc/kit'
import { parseMoney } from '@svc/kit/money'
import { clinicLetterhead } from '@svc/sheet/clinic-letterhead.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import type { SignatureRow } from '../../db/signatures.ts'
import { placeOf, type Place } from '../../../shared/domain/teeth.ts'
import { sum } from '../../../shared/domain/pricing.ts'
import { textIn } from '../../../shared/domain/texts.ts'
import type { BudgetDocument, DocumentDecision } from '../../pdf/document.ts'
import { documentLocale } from '../../pdf/labels.ts'
import type { ContentLine, PricedContent } from '../log/content.ts'

/** The contents of the signed PDF: the stored content of the decision, and the decision itself. */
export async function signedDocument(
  ctx: Ctx,
  { budget, signature }: { budget: BudgetRow, signature: SignatureRow }
): Promise<BudgetDocument> {
  const content = JSON.parse(signature.content) as PricedContent
  const money = (text: string) => {
    const minor = parseMoney(text, content.currency)
    if (minor === null)
      throw new TypeError(`the stored content of budget ${budget.id} holds no amount of ${content.currency}`)
    return minor
  }
  const clinic = await ctx.clinics.get(budget.clinic_id)
  const letterhead = await clinicLetterhead(ctx, clinic)
  const locale = documentLocale(signature.locale, clinic.locale)
  const { original, discount, tax, total } = content.totals
  const toLine = (item: ContentLine) => ({
    name: textIn(item.name, locale, budget.locale),
    place: placeIn(item),
    note: item.note ?? null,
    quantity: item.quantity,
    original_price: money(item.original_price),
    price: money(item.price)
  })
  return {
    locale,
    time_zone: signature.time_zone,
    clinic: { ...letterhead, name: content.clinic.name },
    number: content.number,
    version: content.version,
    status: 'accepted',
    patient_name: `${content.patient.first_name} ${content.patient.last_name}`,
    professional_name: content.professional?.name ?? null,
    professional_license: content.professional?.license_number ?? null,
    valid_until: content.valid_until,
    dated_at: budget.sent_at ?? signature.decided_at,
    currency: content.currency,
    items: content.items.map(toLine),
    choices: (content.offer?.choices ?? []).map(({ id, title, rule, options }) => ({
      title,
      rule,
      options: options.map(option => ({
        title: option.title,
        description: option.description,
        recommended: option.recommended,
        price: sum(option.items.map(({ price }) => money(price))),
        items: option.items.map(toLine),
        is_chosen: content.selection?.[id] === option.id
      }))
    })),
    range: null,
    tooth_notation: content.tooth_notation ?? 'fdi',
    deciduous: budget.deciduous,
    totals: { original: money(original), discount: money(discount), tax: money(tax), total: money(total) },
    notes: content.patient_notes,
    clauses: content.clauses ?? [],
    decision: decisionOf(ctx, budget, signature)
  }
}

/** As in the content; texts of earlier contents become the site. */
function placeIn({ tooth, surfaces, teeth, area, site }: ContentLine): Place {
  const list = Array.isArray(surfaces) ? surfaces : null
  const texts = [tooth, list ? null : surfaces].filter(Boolean).join(' ')
  return placeOf({ teeth, surfaces: list, area, site: site ?? (texts || null) })
}

const decisionOf = (ctx: Ctx, budget: BudgetRow, signature: SignatureRow): DocumentDecision => ({
  signer_name: signature.signer_name,
  relationship: signature.relationship ?? 'patient',
  method: signature.method ?? 'click',
  image: signature.image,
  decided_at: signature.decided_at,
  decided_via: budget.decided_via ?? 'remote_link',
  consent: signature.consent_text,
  content_digest: signature.content_digest,
  check_url: `${ctx.base_url}/verify`
})
