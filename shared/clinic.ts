import * as z from 'zod'
import { Currency, Email, line, Locale, text, TimeZone } from './common.ts'

/** Users who must have a second factor. */
const SECOND_FACTOR = ['none', 'administrators', 'all'] as const

/** The core's own members. Those that modules add are in their settings (`in_clinic`). */
export const Clinic = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  logo_url: z.string().nullable(),
  accent_color: z.string().nullable(),
  /** ISO 3166-1 alpha-2; the country of phone numbers without a country code. */
  country: z.string().nullable(),
  /** Further names on invoices. Without a tax number an invoice is titled "Pro forma". */
  legal_name: z.string().nullable(),
  tax_number: z.string().nullable(),
  registration: z.string().nullable(),
  insurer: z.string().nullable(),
  currency: z.string(),
  /** Whether stored data uses the currency, so that it can't be changed. */
  currency_locked: z.boolean(),
  time_zone: z.string(),
  locale: z.string(),
  /** Whether the prices that the staff type and see include tax. */
  prices_include_tax: z.boolean(),
  ip_policy: z.enum(['full', 'hashed', 'none']),
  /** Whether the staff get an email for each decision that a patient makes by link. */
  notify_decisions: z.boolean(),
  /** Users who must have a second factor. A week after it was required, only the page to add one opens for them. */
  second_factor: z.enum(SECOND_FACTOR),
  /** How long data is kept that no law requires for longer. */
  retention: z.object({
    /** Months after which the rows of a closed budget's access log are removed; null for never. */
    access_log_months: z.int().nullable(),
    /** Months after which the rows of the audit log are removed; null for never. */
    audit_months: z.int().nullable()
  }),
  /** Whether the checklist of a new clinic was dismissed. */
  first_steps_hidden: z.boolean()
})

/** A background for white text: WCAG requires a contrast of 4.5 : 1. */
const AccentColor = z.string().trim().regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as "#0f766e".')
  .refine(color => contrastWithWhite(color) >= 4.5, 'Too light: white text on it cannot be read.')

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** ISO 3166-1 alpha-2. */
export const Country = z.string().trim()
  .regex(/^[A-Z]{2}$/, { error: 'Must be a country code such as "ES".', abort: true })
  .refine(code => regions.of(code) !== undefined, 'There is no such country code.')

const fields = {
  name: line(200),
  address: text(500).nullable(),
  phone: line(50).nullable(),
  email: Email.nullable(),
  accent_color: AccentColor.nullable(),
  country: Country.nullable(),
  legal_name: line(200).nullable(),
  tax_number: line(50).nullable(),
  registration: line(200).nullable(),
  insurer: line(200).nullable(),
  currency: Currency,
  time_zone: TimeZone,
  locale: Locale,
  /** A change converts the prices of the catalog. */
  prices_include_tax: z.boolean(),
  ip_policy: z.enum(['full', 'hashed', 'none'])
}

/** Omitted members stay unchanged. */
const RetentionChange = z
  .strictObject({
    access_log_months: z.int().min(12).max(600).nullable(),
    audit_months: z.int().min(1).max(600).nullable()
  })
  .partial()

export const ClinicChange = z
  .strictObject({
    ...fields,
    notify_decisions: z.boolean(),
    second_factor: z.enum(SECOND_FACTOR),
    retention: RetentionChange,
    first_steps_hidden: z.boolean()
  })
  .partial()
export const NewClinic = z
  .strictObject(fields)
  .partial()
  .required({ name: true, currency: true, time_zone: true, locale: true })

/** What a change does to data of the clinic: `what` names the effect, `count` the number of records. */
export const ClinicEffect = z.object({ field: z.string(), what: z.string(), count: z.int() })

/** How the instance sends email; `from` is null if no mail server is configured. */
export const MailState = z.object({ via: z.enum(['smtp', 'file']), from: z.string().nullable() })
export const TestMail = z.object({ to: z.string(), via: z.enum(['smtp', 'file']) })

export type Clinic = z.infer<typeof Clinic>
export type ClinicChange = z.infer<typeof ClinicChange>
export type ClinicEffect = z.infer<typeof ClinicEffect>
export type NewClinic = z.infer<typeof NewClinic>

/** WCAG 2.2, relative luminance and contrast ratio. */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05)
}
