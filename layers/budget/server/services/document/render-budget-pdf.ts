import type { Ctx } from '@svc/kit'
import type { ShownBudget } from '../../db/budgets.ts'
import { listSentItems, type SentItem } from '../../db/items.ts'
import { discountOf } from '../../../shared/domain/discount.ts'
import { sum } from '../../../shared/domain/pricing.ts'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { textIn } from '../../../shared/domain/texts.ts'
import { clinicLetterhead } from '@svc/sheet/clinic-letterhead.ts'
import { drawSheet } from '@svc/sheet/draw-sheet.ts'
import { notationOf } from '../../settings.ts'
import { budgetSheet } from '../../pdf/budget-sheet.ts'
import type { BudgetDocument } from '../../pdf/document.ts'
import { documentLocale } from '../../pdf/labels.ts'
import { withClauses } from '../budget/collect-clauses.ts'
import { agreedItems, hasChoices } from '../budget/offer.ts'
import { translateItems } from '../budget/translate-items.ts'
import { shownPlace } from '../budget/place.ts'
import { assertAsSent } from '../log/sent-seal.ts'

interface Input {
  budget: ShownBudget
  /** The database's time. */ now: Date
  /** The reader's language; defaults to the budget's own. */ locale?: string
}

/**
 * The unsigned PDF, drawn for each call from the current version. Throws `content_tampered`, and for a draft the
 * problems of `collectClauses`.
 */
export async function renderBudgetPdf(
  ctx: Ctx,
  { budget: row, now, locale: wanted = row.locale }: Input
): Promise<Uint8Array> {
  const budget = await withClauses(ctx, row)
  const [stored, clinic] = await Promise.all([listSentItems(ctx.db, budget.id), ctx.clinics.get(budget.clinic_id)])
  assertAsSent(ctx, { budget, items: stored, clinic })
  const items = await translateItems(ctx, budget, stored)
  const locale = documentLocale(wanted, clinic.locale)
  const toLine = (item: SentItem) => ({
    name: textIn(item.name, locale, budget.locale),
    place: shownPlace(item),
    note: item.note,
    quantity: item.quantity,
    original_price: item.original_price,
    price: item.price
  })
  const document: BudgetDocument = {
    locale,
    time_zone: budget.time_zone,
    clinic: { ...(await clinicLetterhead(ctx, clinic)), name: budget.clinic_name ?? clinic.name },
    number: budget.number,
    version: budget.version,
    status: statusAt(budget, now),
    patient_name: `${budget.patient_first_name} ${budget.patient_last_name}`,
    professional_name: budget.professional_name,
    professional_license: budget.professional_license,
    valid_until: budget.valid_until,
    dated_at: budget.sent_at ?? budget.updated_at,
    currency: budget.currency,
    items: agreedItems(budget, items).map(toLine),
    choices: (budget.choices ?? []).map(({ title, rule, options }) => ({
      title,
      rule,
      options: options.map((option) => {
        const own = items.filter(({ option_id }) => option_id === option.id)
        const { title, description, recommended } = option
        return {
          title,
          description,
          recommended,
          price: sum(own.map(({ price }) => price)),
          items: own.map(toLine),
          is_chosen: Object.values(budget.selection ?? {}).includes(option.id)
        }
      })
    })),
    range: hasChoices(budget) && !budget.selection
      ? { from: budget.price_from ?? 0n, to: budget.price_to ?? 0n, discount: discountOf(budget) }
      : null,
    tooth_notation: await notationOf(ctx, budget),
    deciduous: budget.deciduous,
    totals: {
      original: budget.original_total,
      discount: budget.original_total - budget.total,
      tax: budget.tax_total,
      total: budget.total
    },
    notes: budget.patient_notes,
    clauses: budget.clauses ?? [],
    decision: null
  }
  return (await drawSheet(ctx, budgetSheet(document), document.clinic)).bytes
}
