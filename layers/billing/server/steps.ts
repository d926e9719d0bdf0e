import type { StepDefinition } from '@svc/kit'
import type { BillingSteps } from '@svc/kit/modules/billing'
import * as z from 'zod'

const Id = z.guid()

/** Decisions that other modules may refuse. Money is decimal text of `currency`. */
export const steps = {
  'billing.issue': {
    summary: 'A draft of an invoice is issued.',
    payload: z.strictObject({
      clinic_id: Id,
      invoice_id: Id,
      budget_id: Id,
      budget_number: z.string(),
      patient_id: Id,
      total: z.string(),
      currency: z.string(),
      /** For example a deposit; the rest is due. */
      paid: z.string()
    })
  }
} satisfies { [Name in keyof BillingSteps]: StepDefinition<BillingSteps[Name]> }
