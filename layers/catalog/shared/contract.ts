import { decimal, externalIds, inLanguages, LANGUAGES, line, paging, search, text } from '@svc/kit/schemas'
import { singleLine } from '@svc/kit/text'
import * as z from 'zod'

export { LANGUAGES }

const hasOne = (value: object) => Object.keys(value).length > 0

/** The number of decimals depends on the clinic's currency, so the service checks it. */
const money = decimal(/^\d{1,10}(\.\d{1,4})?$/, 'Must be an amount such as "45.00".')
const percent = decimal(/^\d{1,3}(\.\d{1,2})?$/, 'Must be a percentage such as "21".')

export const COUNTS = ['tooth', 'piece', 'once'] as const
/** A tooth has no more. */
export const MAX_SURFACES = 5

const fields = {
  code: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,29}$/u, 'Must be letters, digits and . _ / - (30 at most).'),
  name: inLanguages(line(200)).refine(hasOne, 'Needs a text in one language.'),
  description: inLanguages(text(2000)),
  /** A category's code. */
  category: z.string().trim().max(50).check(singleLine).nullable(),
  /** Includes tax if the clinic's setting says so. */
  unit_price: money,
  /** Whether `unit_price` includes tax. Refused unless it is the clinic's current setting, which is the default. */
  prices_include_tax: z.boolean(),
  vat: percent,
  active: z.boolean(),
  /** What the quantity of a line counts: its teeth, pieces that are typed, or nothing, because it is done once. */
  counts: z.enum(COUNTS),
  /** A filling's number of surfaces, or the lowest of them: 3 for "three or more". Null if it doesn't matter. */
  surfaces: z.int().min(1).max(MAX_SURFACES).nullable(),
  /** Replaces all existing ids. */
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
  /** The price includes tax. If absent, it doesn't. */
  prices_include_tax: z.literal(true).optional(),
  vat: z.string(),
  active: z.boolean(),
  counts: z.enum(COUNTS),
  surfaces: z.int().nullable(),
  /** Ids in other systems; `{}` for none. */
  external_ids: z.record(z.string(), z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime()
})
export const Category = z.object({ code: z.string(), name: AnyTexts })

export const TreatmentQuery = z.strictObject({
  search,
  category: z.string().max(50).check(singleLine).optional(),
  active: z.enum(['true', 'false']).optional(),
  /** `false`: those at 0.00, which wait for a price. */
  priced: z.enum(['true', 'false']).optional(),
  /** `best`: what fits the search best comes first, and words are also found inside words. */
  order: z.enum(['list', 'best']).optional(),
  /** The number of surfaces that the budget's line has, for `best`. */
  surfaces: z.coerce.number().int().min(1).max(7).optional(),
  ...paging
})

export const MAX_SET_ITEMS = 50

const setFields = {
  name: line(100),
  items: z
    .array(z.strictObject({ treatment_id: z.guid().toLowerCase(), quantity: z.int().min(1).max(999).default(1) }))
    .min(1)
    .max(MAX_SET_ITEMS)
}
export const SetRequest = z.strictObject(setFields)
export const SetChange = SetRequest.partial()
export const TreatmentSet = z.object({
  id: z.uuid(),
  name: z.string(),
  /**
   * In order, each with its current treatment. Items with an inactive treatment stay, but shouldn't be added to
   * budgets.
   */
  items: z.array(z.object({ treatment_id: z.uuid(), quantity: z.int(), treatment: Treatment })),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime()
})
export const SetQuery = z.strictObject({ search, ...paging })

export const TreatmentExportQuery = TreatmentQuery.omit({ order: true, surfaces: true, page: true, page_size: true })

export type TreatmentRequest = z.infer<typeof TreatmentRequest>
export type TreatmentChange = z.infer<typeof TreatmentChange>
export type Treatment = z.infer<typeof Treatment>
export type Counts = Treatment['counts']
export type TreatmentQuery = z.infer<typeof TreatmentQuery>
export type TreatmentExportQuery = z.infer<typeof TreatmentExportQuery>
export type Category = z.infer<typeof Category>
export type SetRequest = z.infer<typeof SetRequest>
export type SetChange = z.infer<typeof SetChange>
export type TreatmentSet = z.infer<typeof TreatmentSet>
export type SetQuery = z.infer<typeof SetQuery>
