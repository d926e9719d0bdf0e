import { externalIds, paging } from '@svc/kit/schemas'
import * as z from 'zod'
import { ATTENTION } from './domain/attention.ts'
import { DELIVERIES, DELIVERY_ERRORS } from './domain/delivery-error.ts'
import { readPlace } from './domain/place-input.ts'
import { MAX_SITE, MAX_TEETH } from './domain/teeth-input.ts'
import { AREAS, SURFACES } from './domain/teeth.ts'
import { RULES } from './domain/selection.ts'
import {
  Amount,
  choicesOf,
  Day,
  DiscountInput,
  DiscountShown,
  Id,
  Instant,
  MoneyText,
  PatientView,
  SignedPdf,
  StatusName
} from './common.ts'
import { REASON_CODES, RELATIONSHIPS } from './public.ts'
import { ClauseId, MAX_OWN_CLAUSES } from './settings.ts'
import { nameText, plainText } from './text.ts'

export { ATTENTION }

// ---------------------------------------------------------------- requests

export const MAX_ITEMS = 200

/** Forms send an empty text for an empty field. */
const orNothing = (text: z.ZodType<string, string>) =>
  z
    .string()
    .transform(value => (value.trim() === '' ? null : value))
    .pipe(text.nullable())
    .nullish()

const ToothCode = z
  .string()
  .regex(/^(?:[1-4][1-8]|[5-8][1-5])$/, 'Must be an FDI code (ISO 3950): "11" to "48", or "51" to "85".')

export const ItemInput = z.strictObject({
  /**
   * The id of a line of the draft to keep, with its copied catalog data. If null, the line is new. If omitted, a line
   * with the same treatment is kept, if there is one.
   */
  id: Id.nullish(),
  treatment_id: Id,
  /** Defaults to the number of teeth, at least 1. */
  quantity: z.int().min(1).max(999).optional(),
  /**
   * With tax if the budget's prices include it. If omitted, an existing line keeps its price and a new one gets the
   * catalog's.
   */
  unit_price: Amount.nullish(),
  discount: DiscountInput.nullish(),
  /** FDI codes (ISO 3950): permanent "11" to "48", deciduous "51" to "85"; each once, at most 32. */
  teeth: z.array(ToothCode).max(MAX_TEETH).nullish(),
  /**
   * Only with exactly one tooth, each once; O for teeth behind the canines, I for the others, P in the upper jaw, L in
   * the lower. A text with `tooth` is the deprecated form.
   */
  surfaces: z.union([z.array(z.enum(SURFACES)), z.string().max(50)]).nullish(),
  /** An area instead of teeth. */
  area: z.enum(AREAS).nullish(),
  /** A place that is neither a tooth nor an area. */
  site: orNothing(nameText(MAX_SITE)),
  /**
   * Deprecated, for one release: a valid code becomes `teeth`, any other text `site`. Refused together with these
   * fields.
   */
  tooth: orNothing(nameText(50)),
  /** Shown to the patient below the treatment. */
  note: orNothing(plainText(500)),
  /** Only for staff. */
  notes: orNothing(plainText(2000))
}).superRefine((item, { issues }) => {
  for (const { path, message } of readPlace(item).faults)
    issues.push({ code: 'custom', path, message, input: item })
})
export type ItemInput = z.infer<typeof ItemInput>

const items = z.array(ItemInput).max(MAX_ITEMS)

export const MAX_CHOICES = 20
export const MAX_OPTIONS = 5

const OptionInput = z.strictObject({
  /** The id of an option of the draft to keep. Null or omitted for a new one. */
  id: Id.nullish(),
  title: nameText(100),
  description: orNothing(plainText(1000)),
  /** The clinic's recommendation, which is only a label. At most one option of a choice has it. */
  recommended: z.boolean().default(false),
  items: z.array(ItemInput).min(1, 'An option needs at least one treatment.').max(MAX_ITEMS)
})
export const ChoiceInput = z.strictObject({
  /** The id of a choice of the draft to keep. Null or omitted for a new one. */
  id: Id.nullish(),
  title: nameText(100),
  /** `exactly_one` needs at least two options. `at_most_one` needs at least one; the patient may choose none. */
  rule: z.enum(RULES),
  options: z.array(OptionInput).min(1).max(MAX_OPTIONS)
})
export type ChoiceInput = z.infer<typeof ChoiceInput>

const optional = {
  /** The choices for the patient. They replace all existing ones. At most 200 lines together with `items`. */
  choices: z.array(ChoiceInput).max(MAX_CHOICES).nullish(),
  professional_id: Id.nullish(),
  valid_until: Day.nullish(),
  global_discount: DiscountInput.nullish(),
  /** The clinic's own conditions (setting `clauses`) by their ids. Null: those that are on by default. */
  clause_ids: z.array(ClauseId).max(MAX_OWN_CLAUSES).nullish(),
  patient_notes: orNothing(plainText(5000)),
  internal_notes: orNothing(plainText(5000)),
  /** Whether prices were entered with tax. Refused if the budget stores its prices the other way. */
  prices_include_tax: z.boolean().optional(),
  /** The budget's ids in other systems, the same for all its versions. Replaces all existing ids. */
  external_ids: externalIds.optional()
}

/** A draft may have no lines yet. */
export const CreateRequest = z.strictObject({ patient_id: Id, items, ...optional })
export type CreateRequest = z.infer<typeof CreateRequest>

/** Omitted fields stay unchanged, `null` clears a field, and `items` replaces all lines. */
export const ChangeRequest = z.strictObject({ patient_id: Id.optional(), items: items.optional(), ...optional })
export type ChangeRequest = z.infer<typeof ChangeRequest>

export const CancelRequest = z.strictObject({ reason: orNothing(plainText(2000)) })
export type CancelRequest = z.infer<typeof CancelRequest>

export const DoneRequest = z.strictObject({
  /** Lines that the patient accepted. The day is not after today in the clinic's zone; null: not done after all. */
  items: z.array(z.strictObject({ item_id: Id, done_on: Day.nullable() })).min(1).max(MAX_ITEMS).refine(
    items => new Set(items.map(({ item_id }) => item_id)).size === items.length, 'Name each line once.'
  )
})
export type DoneRequest = z.infer<typeof DoneRequest>

const SORT_KEYS = ['created_at', 'number', 'total', 'valid_until', 'sent_at', 'decided_at'] as const

export const ListQuery = z.strictObject({
  ...paging,
  status: z.array(StatusName).max(20).optional(),
  patient_id: Id.optional(),
  professional_id: Id.optional(),
  /** Words of the number or of the patient's name, in any order. Prefixes are enough. */
  search: orNothing(nameText(200)),
  /** With a day: the budget's last day is before it. With an instant: the budget ends before it. */
  expires_before: z.union([Day, z.iso.datetime({ offset: true }).regex(/^[12]/, 'Must be a time of the years 1000 to 2999.')]).optional(),
  locked: z.enum(['true', 'false']).optional(),
  attention: z.enum(ATTENTION).optional(),
  sort: z.enum([...SORT_KEYS, ...SORT_KEYS.map(key => `-${key}` as const)]).default('-created_at')
})
export type ListQuery = z.infer<typeof ListQuery>
export const ExportQuery = ListQuery.omit({ page: true, page_size: true })
export type ExportQuery = z.infer<typeof ExportQuery>

// ---------------------------------------------------------------- answers

const Person = z.object({ id: Id, name: z.string() })
/** The number's ids in other systems; `{}` if there are none. */
const ExternalIds = z.record(z.string(), z.string())
const Via = z.enum(['remote_link', 'in_clinic'])

/** The result of the last message. */
const delivery = {
  /** How the link was last delivered: `manual`, or a channel's name; null before. */
  channel: z.string().nullable(),
  /**
   * `none` if it was handed over by hand. A temporary failure is retried, and becomes `sent` once it succeeds;
   * `delivered` if the channel's provider reports it.
   */
  delivery: z.enum(DELIVERIES),
  /** `file`: the message was only written to a file of this instance, so staff must copy the link. */
  delivered_via: z.enum(['smtp', 'file']).nullable(),
  delivered_at: Instant.nullable(),
  /** A sentence that helps staff, and its code, which the screens translate. */
  delivery_error: z.string().nullable(),
  delivery_error_code: z.enum(DELIVERY_ERRORS).nullable(),
  /** The channel's own words for the error, if it has any. */
  delivery_reason: z.string().nullable()
}

/** The staff's view of the link. */
export const LinkState = z.object({
  /** `none` before the budget is sent; `closed` if it can be read but not decided. */
  state: z.enum(['none', 'active', 'closed']),
  url: z.string().nullable(),
  /**
   * A short address to read out, `https://…/b/K7Q4-9XTM`, which opens the same page. Null for links of releases without
   * short addresses.
   */
  short_url: z.string().nullable(),
  has_code: z.boolean(),
  failed_attempts: z.int(),
  locked: z.boolean(),
  locked_until: Instant.nullable(),
  ...delivery
})
export type LinkState = z.infer<typeof LinkState>

export const ListRow = z.object({
  id: Id,
  number: z.string(),
  version: z.int(),
  status: StatusName,
  patient: z.object({ id: Id, first_name: z.string(), last_name: z.string() }),
  professional: Person.nullable(),
  currency: z.string(),
  /** That of the cheapest selection, until a selection is accepted. */
  total: MoneyText,
  /** If the patient can choose: the totals of the cheapest and the most expensive selection. Absent without choices. */
  price_from: MoneyText.optional(),
  price_to: MoneyText.optional(),
  valid_until: z.iso.date().nullable(),
  expires_at: Instant.nullable(),
  created_at: Instant,
  sent_at: Instant.nullable(),
  viewed_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  /** When the acceptance was withdrawn; the status stays `accepted`. */
  withdrawn_at: Instant.nullable(),
  /** The patient has asked a question that no one has answered or marked as read. */
  open_question: z.boolean(),
  locked: z.boolean(),
  locked_until: Instant.nullable(),
  ...delivery,
  signed_pdf: SignedPdf.pick({ status: true }),
  external_ids: ExternalIds
})
export type ListRow = z.infer<typeof ListRow>

/**
 * The first few of each kind; the list shows all of them with the filter `attention`. `total` counts at most 10,000.
 */
const Attended = z.object({ total: z.int(), budgets: z.array(ListRow).max(5) })
export const AttentionAnswer = z.object({
  question: Attended,
  expiring: Attended,
  locked: Attended,
  undelivered: Attended,
  pdf_pending: Attended,
  withdrawn_invoiced: Attended,
  /** Withdrawn or cancelled, with an advance that is neither applied nor returned. */
  withdrawn_paid: Attended
})
export type AttentionAnswer = z.infer<typeof AttentionAnswer>

const { patient, items: { element: line }, decision } = PatientView.shape

/** A line with the fields that only staff see. */
const StaffLine = line.extend({
  id: Id,
  treatment_id: Id,
  code: z.string(),
  unit_price: MoneyText,
  vat: z.string(),
  discount: DiscountShown.nullable(),
  tax: MoneyText,
  notes: z.string().nullable(),
  /** When it was done, as the staff recorded it after the acceptance. Not part of what was signed. */
  done_on: z.iso.date().nullable(),
  /** Whether the treatment's name, and its description if there is one, exist in the budget's language. */
  translated: z.boolean()
})

/** The patient's view, and the fields that only staff see. */
export const BudgetDetail = PatientView.extend({
  id: Id,
  patient_id: Id,
  professional_id: Id.nullable(),
  patient: patient.extend({ id: Id }),
  professional: Person.nullable(),
  items: z.array(StaffLine),
  choices: choicesOf(StaffLine).optional(),
  global_discount: DiscountShown.nullable(),
  /** The chosen conditions of the clinic; null: those that are on by default. */
  clause_ids: z.array(z.string()).nullable(),
  internal_notes: z.string().nullable(),
  external_ids: ExternalIds,
  created_by: Person.nullable(),
  created_at: Instant,
  updated_at: Instant,
  sent_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  /** How it was accepted; otherwise null. */
  accepted_via: Via.nullable(),
  /** When the acceptance was withdrawn; the status stays `accepted`. */
  withdrawn_at: Instant.nullable(),
  withdrawal: z.object({
    requested_by: z.enum(RELATIONSHIPS).nullable(),
    /** Null once the patient's data was erased. */
    reason: z.string().nullable(),
    by: Person.nullable()
  }).nullable(),
  /** The number of the patient's messages about this budget that no one has answered or marked as read. */
  open_questions: z.int(),
  closed_at: Instant.nullable(),
  closed_reason: z.string().nullable(),
  /**
   * For a superseded version: who sent the version that replaced it. Null for other versions, and once that version's
   * log has been trimmed.
   */
  superseded_by_user: Person.nullable(),
  revises_id: Id.nullable(),
  superseded_by_id: Id.nullable(),
  /** When the patient's data was erased. Names and notes are then empty, and the budget can't change any more. */
  erased_at: Instant.nullable(),
  link: LinkState,
  decision: decision.unwrap().extend({
    signature_id: Id,
    via: Via,
    relationship: z.enum(RELATIONSHIPS).nullable(),
    method: z.enum(['click', 'typed', 'drawn']).nullable(),
    reason_code: z.enum(REASON_CODES).nullable(),
    witness: Person.nullable()
  }).nullable(),
  /** All versions of the budget, oldest first. */
  versions: z.array(z.object({
    id: Id,
    version: z.int(),
    status: StatusName,
    total: MoneyText,
    created_at: Instant,
    sent_at: Instant.nullable(),
    decided_at: Instant.nullable(),
    withdrawn_at: Instant.nullable()
  })),
  /**
   * Codes of the faults that `svc budgets verify` would report for this version, except those in the bytes of stored
   * files; empty if there are none.
   */
  proof_faults: z.array(z.string())
})
export type BudgetDetail = z.infer<typeof BudgetDetail>
