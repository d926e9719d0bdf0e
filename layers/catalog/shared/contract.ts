import { externalIds, inLanguages, LANGUAGES, line, paging, search, text } from '@svc/kit/schemas'
import { singleLine } from '@svc/kit/text'
import * as z from 'zod'

export { LANGUAGES }

const hasOne = (value: object) => Object.keys(value).length > 0

/** How many digits are right depends on the clinic's currency, which the service knows. */
const money = z.string().regex(/^\d{1,10}(\.\d{1,4})?$/, 'must be an amount such as "45.00"')
const percent = z.string().regex(/^\d{1,3}(\.\d{1,2})?$/, 'must be a percentage such as "21"')

const fields = {
  code: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,29}$/u, 'must be letters, digits and . _ / - (30 at most)'),
  name: inLanguages(line(200)).refine(hasOne, 'needs a text in one language'),
  description: inLanguages(text(2000)),
  /** Code of a category. */
  category: z.string().max(50).check(singleLine).nullable(),
  /** With or without tax, as the clinic's setting says. */
  unit_price: money,
  /** The mode in which the price was typed: one that the clinic has no more is refused. Left out: the clinic's. */
  prices_include_tax: z.boolean(),
  vat: percent,
  active: z.boolean(),
  /** Replaces all that it has. */
  external_ids: externalIds
}

export const TreatmentChange = z.strictObject(fields).partial()
export const TreatmentRequest = TreatmentChange.required({ code: true, name: true, unit_price: true, vat: true })
const AnyTexts = z.record(z.string(), z.string())
export const Treatment = z.object({
  id: z.uuid(),
  code: z.string(),
  name: AnyTexts,
  description: AnyTexts,
  category: z.string().nullable(),
  unit_price: z.string(),
  /** The price is with tax. Absent: without. */
  prices_include_tax: z.literal(true).optional(),
  vat: z.string(),
  active: z.boolean(),
  /** What other systems call it; `{}` for none. */
  external_ids: z.record(z.string(), z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime()
})
export const Category = z.object({ code: z.string(), name: AnyTexts })

export const TreatmentQuery = z.strictObject({
  search,
  category: z.string().max(50).check(singleLine).optional(),
  active: z.enum(['true', 'false']).optional(),
  ...paging
})

export type TreatmentRequest = z.infer<typeof TreatmentRequest>
export type TreatmentChange = z.infer<typeof TreatmentChange>
export type Treatment = z.infer<typeof Treatment>
export type TreatmentQuery = z.infer<typeof TreatmentQuery>
export type Category = z.infer<typeof Category>
