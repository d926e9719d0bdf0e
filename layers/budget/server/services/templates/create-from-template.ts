import { isProblem, type Ctx } from '@svc/kit'
import type { FromTemplateRequest, LeftOut } from '../../../shared/contract.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { createBudget } from '../draft/create-budget.ts'
import { fitTemplate, type FittedLine } from './fit-template.ts'
import { findKnownTemplate } from './get-template.ts'

type Input = FromTemplateRequest & { clinic_id: string, user_id: string, id: string }

/** A draft at current catalog prices. `left_out`: what it lacks of the template. */
export async function createFromTemplate(
  ctx: Ctx,
  { clinic_id, user_id, id, ...request }: Input
): Promise<{ budget: BudgetRow, left_out: LeftOut[] }> {
  const { content } = await findKnownTemplate(ctx, { clinic_id, id })
  const { items, choices, global_discount, patient_notes, left_out } = await fitTemplate(
    ctx,
    await ctx.clinics.get(clinic_id),
    content
  )
  const create = (discount: typeof global_discount) => createBudget(ctx, {
    ...request,
    clinic_id,
    user_id,
    items: items.map(toItem),
    choices: choices.map(({ options, ...choice }) => ({
      ...choice,
      options: options.map(option => ({ ...option, items: option.items.map(toItem) }))
    })),
    global_discount: discount,
    patient_notes
  })
  try {
    return { budget: await create(global_discount), left_out }
  } catch (error) {
    // At current prices, the sum of the lines may be less than the discount.
    if (!isProblem(error) || error.code !== 'discount_exceeds_total') throw error
    return { budget: await create(null), left_out: [...left_out, { reason: 'discount', treatment: null }] }
  }
}

const toItem = ({ treatment_id, quantity, discount, note }: FittedLine) => ({ treatment_id, quantity, discount, note })
