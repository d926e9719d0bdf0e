import type { StepDefinition } from '@svc/kit'
import type { BudgetSteps } from '@svc/kit/modules/budget'
import * as z from 'zod'
import { Id, Instant, MoneyText, Sha256 } from '../shared/common.ts'
import { RELATIONSHIPS } from '../shared/public.ts'

/** Members of every step of this module. */
const fact = {
  clinic_id: Id,
  budget_id: Id,
  budget_number: z.string(),
  version: z.int(),
  patient_id: Id
}
const price = {
  total: MoneyText,
  currency: z.string(),
  /** Absent if unit prices are without tax; the prices here always include it. */
  prices_include_tax: z.literal(true).optional()
}
/** How the patient decides, and the language of the page, in which a refusal is read. */
const decision = { via: z.enum(['remote_link', 'in_clinic']), locale: z.string() }

/** Decisions that other modules may refuse. Instants are ISO 8601 with Z, money is decimal text of `currency`. */
export const steps = {
  'budget.send': {
    summary: 'A draft is sent to its patient.',
    payload: z.strictObject({ ...fact, ...price, channel: z.string(), valid_until: z.iso.date(), locale: z.string() })
  },
  'budget.accept': {
    summary: 'The patient accepts a budget.',
    payload: z.strictObject({
      ...fact,
      ...price,
      ...decision,
      content_digest: Sha256,
      items: z.array(
        z.object({ item_id: Id, treatment_id: Id, code: z.string(), quantity: z.int(), price: MoneyText })
      ),
      /** If the patient chose: option ids by choice id, and the options not chosen. `items` has the chosen lines. */
      selection: z.record(Id, Id.nullable()).optional(),
      not_chosen: z.array(z.object({ choice_id: Id, option_id: Id, title: z.string(), total: MoneyText })).optional()
    })
  },
  'budget.reject': {
    summary: 'The patient declines a budget.',
    payload: z.strictObject({ ...fact, ...decision, reason_code: z.string().nullable() })
  },
  'budget.withdraw': {
    summary: 'An acceptance is withdrawn for the patient.',
    payload: z.strictObject({ ...fact, decided_at: Instant.nullable(), requested_by: z.enum(RELATIONSHIPS) })
  }
} satisfies { [Name in keyof BudgetSteps]: StepDefinition<BudgetSteps[Name]> }
