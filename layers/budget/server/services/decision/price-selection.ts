import type { Client, Clinic, Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { PriceAnswer } from '../../../shared/contract.ts'
import { totalsWith, unanswered } from '../../../shared/domain/selection.ts'
import type { BudgetKey, ShownBudget } from '../../db/budgets.ts'
import { listSentItems, type SentItem } from '../../db/items.ts'
import { findSignature } from '../../db/signatures.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { offerOf, takeSelection } from '../budget/offer.ts'
import type { ReadingSession } from '../link/find-link.ts'
import { patientItem } from '../budget/patient-view.ts'
import { digestAsSent } from '../link/checked-content.ts'
import { digestContent } from '../log/content.ts'
import { logTampering } from '../log/log-tampering.ts'
import { assertAsSent } from '../log/sent-seal.ts'
import { readSelection } from './choose.ts'
import { assertOpen } from './assert-open.ts'

interface SelectionRequest { selection: Record<string, string | null>, locale: string | undefined }
interface ByLink extends SelectionRequest { session: ReadingSession, client: Client }

/**
 * The price of a selection for the patient; writes nothing except a refusal's log row. Throws `selection_incomplete`,
 * `validation_failed`, `content_tampered`, and the problems of accepting a closed version.
 */
export async function priceByLink(
  ctx: Ctx,
  { session: { budget, items, items_text, decision, now }, client, ...wanted }: ByLink
): Promise<PriceAnswer> {
  assertOpen(budget, { decision, now })
  const clinic = await ctx.clinics.get(budget.clinic_id)
  const tried = { budget_id: budget.id, action: 'viewed' as const, actor: 'patient' as const, client }
  await logTampering(ctx, tried, async () => digestAsSent(ctx, { budget, items, items_text, clinic }))
  return priceOf({ budget, items, clinic, ...wanted })
}

/** The same for staff, also for drafts. Additionally throws `not_found`. */
export async function priceByStaff(
  ctx: Ctx,
  { selection, locale, ...key }: SelectionRequest & BudgetKey
): Promise<PriceAnswer> {
  const budget = await getStaffBudget(ctx.db, key)
  const [items, decision, clinic, now] = await Promise.all([
    listSentItems(ctx.db, budget.id),
    findSignature(ctx.db, budget.id),
    ctx.clinics.get(budget.clinic_id),
    ctx.clock.now()
  ])
  if (budget.status !== 'draft') assertOpen(budget, { decision, now })
  assertAsSent(ctx, { budget, items, clinic })
  return priceOf({ budget, items, clinic, selection, locale })
}

interface Priced extends SelectionRequest { budget: ShownBudget, items: SentItem[], clinic: Clinic }

function priceOf({ budget: row, items, clinic, selection: answers, locale = row.locale }: Priced): PriceAnswer {
  const { budget, selection } = readSelection(row, answers)
  const taken = takeSelection(budget, items, selection)
  const { original_total, total, tax_total } = taken.totals
  const money = (minor: bigint) => formatMoney(minor, budget.currency)
  const complete = unanswered(budget.choices, selection).length === 0
  const chosen = { ...budget, ...taken.totals, selection }
  return {
    complete,
    items: taken.items.map(item => patientItem(item, budget, locale)),
    total: money(total),
    original_total: money(original_total),
    discount_total: money(original_total - total),
    tax_total: money(tax_total),
    content_digest: complete && taken.items.length > 0 ? digestContent(chosen, items, clinic.name).digest : null,
    with: Object.fromEntries([...totalsWith(offerOf(budget, items), selection)].map(([id, sum]) => [id, money(sum)]))
  }
}
