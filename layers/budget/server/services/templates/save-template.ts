import { problem, type Ctx } from '@svc/kit'
import type { TemplateRequest } from '../../../shared/contract.ts'
import { discountOf, showDiscount, type StoredDiscount } from '../../../shared/domain/discount.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { listItems, type ItemRow } from '../../db/items.ts'
import type { StoredTemplateLine, TemplateContent } from '../../db/schema.ts'
import { insertTemplate } from '../../db/templates/templates.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { viewTemplate, type VersionedTemplate } from './view-template.ts'

type Input = TemplateRequest & { clinic_id: string, user_id: string | null }

/**
 * Saves a budget's lines, choices, discounts and texts for the patient. Teeth, prices and internal notes belong to the
 * patient's case and are left out.
 */
export async function saveTemplate(
  ctx: Ctx,
  { clinic_id, user_id, name, budget_id }: Input
): Promise<VersionedTemplate> {
  const budget = await getStaffBudget(ctx.db, { clinic_id, id: budget_id })
  if (budget.erased_at) throw problem('patient_erased')
  const content = contentOf(budget, await listItems(ctx.db, budget.id))
  const row = await insertTemplate(ctx.db, { clinic_id, name, content, created_by: user_id, updated_by: user_id })
  return await viewTemplate(ctx, row)
}

function contentOf(budget: BudgetRow, items: readonly ItemRow[]): TemplateContent {
  const { currency, prices_include_tax, patient_notes } = budget
  const wire = (stored: StoredDiscount) => {
    const discount = discountOf(stored)
    return discount && showDiscount(discount, currency)
  }
  const linesOf = (option_id: string | null): StoredTemplateLine[] =>
    items.filter(item => item.option_id === option_id).map(({ treatment_id, code, name, quantity, note, ...item }) =>
      ({ treatment_id, code, name, quantity, discount: wire(item), note }))
  return {
    currency,
    prices_include_tax,
    items: linesOf(null),
    choices: (budget.choices ?? []).map(({ title, rule, options }) => ({
      title,
      rule,
      options: options.map(({ id, ...option }) => ({ ...option, items: linesOf(id) }))
    })),
    global_discount: wire(budget),
    patient_notes
  }
}
