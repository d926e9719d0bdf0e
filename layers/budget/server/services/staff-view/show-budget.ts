import type { Ctx } from '@svc/kit'
import { formatMoney, formatPercent } from '@svc/kit/money'
import type { BudgetDetail } from '../../../shared/contract.ts'
import { findSender } from '../../db/access-log.ts'
import { listVersions, type BudgetRow } from '../../db/budgets.ts'
import { budgetIds } from '../../db/external-ids.ts'
import { listDone } from '../../db/sent/items-done.ts'
import { listItems, type ItemRow } from '../../db/items.ts'
import { findLink } from '../../db/links.ts'
import { countUnread } from '../../db/messages.ts'
import { findSignature, type SignatureRow } from '../../db/signatures.ts'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { discountOf, showDiscount, type StoredDiscount } from '../../../shared/domain/discount.ts'
import { digestContent } from '../log/content.ts'
import { isTranslated, translateItems } from '../budget/translate-items.ts'
import { linkState } from '../link/link-state.ts'
import { notationOf } from '../../settings.ts'
import { patientItem, patientView, shownLines } from '../budget/patient-view.ts'

/** Without the faults, which only a check of its proof finds. */
export type ShownDetail = Omit<BudgetDetail, 'proof_faults'>

/** The staff's view of one version, without the faults of its proof. */
export async function showBudget(ctx: Ctx, budget: BudgetRow): Promise<ShownDetail> {
  const [
    clinic, notation, now, items, done, link, signature, versions, open_questions, superseded_by_user
  ] = await Promise.all([
    ctx.clinics.get(budget.clinic_id),
    notationOf(ctx, budget),
    ctx.clock.now(),
    listItems(ctx.db, budget.id).then(items => translateItems(ctx, budget, items)),
    listDone(ctx.db, budget.id),
    findLink(ctx.db, budget.id),
    findSignature(ctx.db, budget.id),
    listVersions(ctx.db, budget),
    countUnread(ctx.db, budget),
    budget.superseded_by_id === null ? null : findSender(ctx.db, budget.superseded_by_id)
  ])
  const first = versions[0]!.id
  const external_ids = (await budgetIds(ctx).list(ctx.db, [first])).get(first) ?? {}
  const { created_by, withdrawn_by } = budget
  const people = [created_by, withdrawn_by, superseded_by_user, signature?.witness_id].filter(id => id != null)
  const names = people.length > 0 ? await ctx.users.names(people) : new Map<string, string>()
  const person = (id: string | null | undefined) => id == null ? null : { id, name: names.get(id) ?? '' }
  const { digest } = digestContent(budget, items, clinic.name)
  const view = patientView({ budget, items, clinic, notation, decision: signature, digest, now })
  const { items: _items, choices: _choices, ...shown } = view
  return {
    ...shown,
    ...staffColumns(budget),
    external_ids,
    patient: { id: budget.patient_id, ...view.patient },
    professional:
      budget.professional_id === null ? null : { id: budget.professional_id, name: budget.professional_name ?? '' },
    ...shownLines(budget, items, item =>
      ({ ...patientItem(item, budget, view.locale), ...staffItem(item, budget), done_on: done.get(item.id) ?? null })),
    global_discount: discountShown(budget, budget.currency),
    created_by: person(budget.created_by),
    superseded_by_user: person(superseded_by_user),
    withdrawal: budget.withdrawn_at && {
      requested_by: budget.withdrawal_requested_by,
      reason: budget.withdrawal_reason,
      by: person(budget.withdrawn_by)
    },
    open_questions,
    link: linkState(ctx, { budget, link, now }),
    decision: view.decision
      && signature && { ...view.decision, ...staffDecision(budget, signature), witness: person(signature.witness_id) },
    versions: versions.map(version => versionOf(version, now))
  }
}

const iso = (at: Date | null) => at?.toISOString() ?? null

function discountShown(stored: StoredDiscount, currency: string): BudgetDetail['global_discount'] {
  const discount = discountOf(stored)
  return discount && showDiscount(discount, currency)
}

const staffColumns = (budget: BudgetRow) => ({
  id: budget.id,
  patient_id: budget.patient_id,
  professional_id: budget.professional_id,
  clause_ids: budget.clause_ids,
  internal_notes: budget.internal_notes,
  created_at: budget.created_at.toISOString(),
  updated_at: budget.updated_at.toISOString(),
  sent_at: iso(budget.sent_at),
  decided_at: iso(budget.decided_at),
  accepted_via: budget.status === 'accepted' ? budget.decided_via : null,
  withdrawn_at: iso(budget.withdrawn_at),
  closed_at: iso(budget.closed_at),
  closed_reason: budget.closed_reason,
  revises_id: budget.revises_id,
  superseded_by_id: budget.superseded_by_id,
  erased_at: iso(budget.erased_at)
})

const staffItem = (item: ItemRow, { currency, locale }: BudgetRow) => ({
  id: item.id,
  treatment_id: item.treatment_id,
  code: item.code,
  unit_price: formatMoney(item.unit_price, currency),
  vat: formatPercent(BigInt(item.vat)),
  discount: discountShown(item, currency),
  tax: formatMoney(item.tax, currency),
  notes: item.notes,
  translated: isTranslated(item, locale)
})

const staffDecision = (budget: BudgetRow, signature: SignatureRow) => ({
  signature_id: signature.id,
  via: budget.decided_via ?? 'remote_link' as const,
  relationship: signature.relationship,
  method: signature.method,
  reason_code: signature.reason_code
})

const versionOf = (row: BudgetRow, now: Date): BudgetDetail['versions'][number] => ({
  id: row.id,
  version: row.version,
  status: statusAt(row, now),
  total: formatMoney(row.total, row.currency),
  created_at: row.created_at.toISOString(),
  sent_at: iso(row.sent_at),
  decided_at: iso(row.decided_at),
  withdrawn_at: iso(row.withdrawn_at)
})
