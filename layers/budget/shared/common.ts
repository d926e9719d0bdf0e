import { day, decimal } from '@svc/kit/schemas'
import * as z from 'zod'
import { STATUSES } from './domain/budget-state.ts'
import { AREAS, NOTATIONS, SURFACES } from './domain/teeth.ts'
import { RULES } from './domain/selection.ts'

// ---------------------------------------------------------------- requests

/** Any UUID in a form that PostgreSQL accepts. */
export const Id = z.guid('Must be an id (UUID).').toLowerCase()

/** A calendar day, `YYYY-MM-DD`. */
export const Day = day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.')

/** In the clinic's currency: `"123.45"`. The number of decimals depends on the currency, so the service checks it. */
export const Amount = decimal(/^\d{1,15}(\.\d{1,4})?$/, 'Must be a decimal text such as "123.45".')

/** 0 to 100, up to two decimals: `"7.5"`. */
const Percent = decimal(
  /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/,
  'Must be a percentage from "0" to "100" with up to 2 decimals.'
)

export const DiscountInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('percent'), value: Percent }),
  z.strictObject({ type: z.literal('amount'), value: Amount })
])
export type DiscountInput = z.infer<typeof DiscountInput>

// ---------------------------------------------------------------- answers

export const StatusName = z.enum(STATUSES)
/** Decimal text with the currency's number of decimals. */
export const MoneyText = z.string()
/** UTC with `Z`. */
export const Instant = z.iso.datetime()
/** SHA-256 in lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in lower-case hex.')

/** Like `DiscountInput`, without its limits, because stored values are shown as they are. */
export const DiscountShown = z.object({ type: z.enum(['percent', 'amount']), value: z.string() })

/** What anyone who opens a link may see of the clinic. */
export const ClinicCard = z.object({
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  logo_url: z.string().nullable()
})

export const SignedPdf = z.object({ status: z.enum(['none', 'pending', 'ready']), sha256: Sha256.nullable() })

/** The place in the mouth. Absent if the line names none, as in budgets from before teeth were structured data. */
const place = {
  /** FDI codes (ISO 3950). */
  teeth: z.array(z.string()).optional(),
  area: z.enum(AREAS).nullable().optional(),
  /** A place in words. In an earlier budget, the tooth and surfaces that were sent. */
  site: z.string().nullable().optional()
}

/** The patient's view of a line. */
const ShownLine = z.object({
  name: z.string(),
  description: z.string().nullable(),
  /** Deprecated: always null. */
  tooth: z.null(),
  /** Only for exactly one tooth; null if the line names no place. */
  surfaces: z.array(z.enum(SURFACES)).nullable(),
  ...place,
  /** The clinic's note on this treatment; absent if there is none. */
  note: z.string().optional(),
  quantity: z.int(),
  original_price: MoneyText,
  price: MoneyText,
  discounted: z.boolean()
})

/** The answers to all choices, `{ "<choice id>": "<option id>" }`; null if none of its options was chosen. */
export const SelectionShown = z.record(Id, Id.nullable())

/** Choices whose lines have the given shape. */
export const choicesOf = <Line extends z.ZodType>(line: Line) =>
  z.array(z.object({
    id: Id,
    title: z.string(),
    rule: z.enum(RULES),
    options: z.array(z.object({
      id: Id,
      title: z.string(),
      description: z.string().nullable(),
      recommended: z.boolean(),
      /** The sum of its lines before the discount on the total. */
      price: MoneyText,
      /** Once a selection is accepted, only those of the chosen options, at their final prices. */
      items: z.array(line)
    }))
  }))

/** Absent in a budget without choices. */
const offer = {
  /** Totals of the cheapest and the most expensive complete selection. */
  price_from: MoneyText.optional(),
  price_to: MoneyText.optional(),
  /** The accepted selection; null before. */
  selection: SelectionShown.nullable().optional()
}

/**
 * The patient's view: a closed list. No internal note, id of staff, contact data of the patient or address of a caller.
 */
export const PatientView = z.object({
  number: z.string(),
  version: z.int(),
  status: StatusName,
  clinic: ClinicCard,
  patient: z.object({ first_name: z.string(), last_name: z.string() }),
  /** The licence number is absent if unknown. */
  professional: z.object({ name: z.string(), license_number: z.string().optional() }).nullable(),
  currency: z.string(),
  /** Unit prices were entered with tax. If absent, they weren't. */
  prices_include_tax: z.literal(true).optional(),
  locale: z.string(),
  time_zone: z.string(),
  valid_until: z.iso.date().nullable(),
  expires_at: Instant.nullable(),
  /** In a budget with choices, the lines that are part of every selection. */
  items: z.array(ShownLine),
  choices: choicesOf(ShownLine).optional(),
  ...offer,
  totals: z.object({ original: MoneyText, discount: MoneyText, total: MoneyText, tax: MoneyText }),
  /** How people read tooth numbers; absent if no line names a tooth. */
  tooth_notation: z.enum(NOTATIONS).optional(),
  /** The patient is under 13, so a chart shows primary teeth. Absent if not, or if no line names a tooth. */
  deciduous: z.literal(true).optional(),
  patient_notes: z.string().nullable(),
  /** Conditions that are part of the content: what modules of the service gave when it was sent. Absent without any. */
  clauses: z.array(z.object({ module: z.string(), id: z.string(), title: z.string(), text: z.string() })).optional(),
  viewed_at: Instant.nullable(),
  decision: z.object({
    status: z.enum(['accepted', 'rejected']),
    decided_at: Instant,
    signer_name: z.string(),
    reason: z.string().nullable()
  }).nullable(),
  /** When the acceptance was withdrawn; otherwise absent. */
  withdrawn_at: Instant.nullish(),
  signed_pdf: SignedPdf,
  /** If the patient can choose, null until a selection is accepted. */
  content_digest: Sha256.nullable()
})
export type PatientView = z.infer<typeof PatientView>
