import * as z from 'zod'
import { NOTATIONS } from './domain/teeth.ts'
import { Locale, nameText, plainText } from './text.ts'

const Hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as "20:00".')

/** In `code_by`, the clinic itself, which tells the patient the code. */
export const BY_CLINIC = 'clinic'

export const MAX_OWN_CLAUSES = 5
export const ClauseId = z.string().regex(/^[a-z0-9_-]{1,50}$/, 'Must be 1 to 50 of the characters a-z, 0-9, "_" and "-".')

/** A condition of the clinic's own, in the languages that it is written in. */
const OwnClause = z.strictObject({
  id: ClauseId,
  title: z.partialRecord(Locale, nameText(200)),
  text: z.partialRecord(Locale, plainText(2000)),
  /** Whether a new draft has this condition. */
  by_default: z.boolean()
}).refine(({ title, text }) => {
  const languages = Object.keys(title).sort()
  return languages.length > 0 && languages.join() === Object.keys(text).sort().join()
}, 'Title and text must be in the same languages, at least in one.')
export type OwnClause = z.infer<typeof OwnClause>

/** Settings that each clinic has of this module. */
export const BudgetSettings = z.object({
  /** How people read tooth numbers: FDI (ISO 3950), Universal Numbering System, Palmer. Data is always FDI. */
  tooth_notation: z.enum(NOTATIONS),
  /** How the patient gets a code: `clinic`, or the name of a channel. */
  code_by: z.string().regex(/^[a-z][a-z0-9_]{0,29}$/, 'Must be "clinic" or the name of a channel.'),
  /** The clinic's own code opens nothing. */
  code_by_only: z.boolean(),
  budget_validity_days: z.int().min(1).max(365),
  /** Automatic reminders of unanswered budgets; the hours are in the clinic's zone. */
  reminders: z.strictObject({
    enabled: z.boolean(),
    /** Days after sending. */
    days: z
      .array(z.int().min(1).max(90))
      .min(1)
      .max(3)
      .refine(days => new Set(days).size === days.length, 'Each day once.')
      .overwrite(days => days.toSorted((a, b) => a - b)),
    /** No reminder is sent from here until `quiet_to`, which may span midnight. Both equal: no quiet hours. */
    quiet_from: Hour,
    quiet_to: Hour
  }),
  /** Conditions for budgets. A draft chooses among them (`clause_ids`). */
  clauses: z
    .array(OwnClause)
    .max(MAX_OWN_CLAUSES)
    .refine(clauses => new Set(clauses.map(({ id }) => id)).size === clauses.length, 'Each id once.')
})
export type BudgetSettings = z.infer<typeof BudgetSettings>
