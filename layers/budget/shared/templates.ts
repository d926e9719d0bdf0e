import { paging, search } from '@svc/kit/schemas'
import * as z from 'zod'
import { DiscountShown, Id, Instant, MoneyText } from './common.ts'
import { RULES } from './domain/selection.ts'
import { BudgetDetail, CreateRequest } from './staff.ts'
import { nameText } from './text.ts'

// ---------------------------------------------------------------- requests

/** `budget_id` is any version with any status. */
export const TemplateRequest = z.strictObject({ name: nameText(100), budget_id: Id })
export type TemplateRequest = z.infer<typeof TemplateRequest>

export const TemplateChange = z.strictObject({ name: nameText(100) }).partial()
export type TemplateChange = z.infer<typeof TemplateChange>

export const TemplateQuery = z.strictObject({ search, ...paging })
export type TemplateQuery = z.infer<typeof TemplateQuery>

export const FromTemplateRequest = CreateRequest.pick({ patient_id: true, professional_id: true, valid_until: true })
export type FromTemplateRequest = z.infer<typeof FromTemplateRequest>

// ---------------------------------------------------------------- answers

const Texts = z.record(z.string(), z.string())

/** Something in a template that its new budget does not contain. */
export const LeftOut = z.object({
  /**
   * `inactive`: the treatment isn't offered; `gone`: it isn't in the catalog any more; `discount`: an amount that
   * doesn't fit.
   */
  reason: z.enum(['inactive', 'gone', 'discount']),
  /** The treatment; null for the discount on the total. */
  treatment: z.object({ id: Id, code: z.string(), name: Texts }).nullable()
})
export type LeftOut = z.infer<typeof LeftOut>

const TemplateLine = z.object({
  treatment_id: Id,
  code: z.string(),
  name: Texts,
  /** From the current catalog, with tax if `prices_include_tax` is true. */
  unit_price: MoneyText,
  prices_include_tax: z.literal(true).optional(),
  vat: z.string(),
  quantity: z.int(),
  discount: DiscountShown.nullable(),
  /** Shown to the patient below the treatment. */
  note: z.string().nullable()
})
export type TemplateLine = z.infer<typeof TemplateLine>

export const TemplateRow = z.object({
  id: Id,
  name: z.string(),
  /** The number of saved lines, including those of options. */
  lines: z.int(),
  created_at: Instant,
  updated_at: Instant
})
export type TemplateRow = z.infer<typeof TemplateRow>

/** A template as a budget created today would contain it. */
export const Template = TemplateRow.extend({
  currency: z.string(),
  items: z.array(TemplateLine),
  choices: z.array(z.object({
    title: z.string(),
    rule: z.enum(RULES),
    options: z.array(z.object({
      title: z.string(),
      description: z.string().nullable(),
      recommended: z.boolean(),
      items: z.array(TemplateLine)
    }))
  })),
  global_discount: DiscountShown.nullable(),
  patient_notes: z.string().nullable(),
  left_out: z.array(LeftOut)
})
export type Template = z.infer<typeof Template>

/** The new draft, and the parts of the template that it lacks. */
export const FromTemplateAnswer = BudgetDetail.extend({ left_out: z.array(LeftOut) })
