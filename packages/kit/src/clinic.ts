export interface Clinic {
  id: string
  name: string
  address: string | null
  phone: string | null
  email: string | null
  /** Absolute URL, or null without a logo. */
  logo_url: string | null
  accent_color: string | null
  /** ISO 3166-1 alpha-2; the country of phone numbers without a country code. */
  country: string | null
  /** The name that invoices must show. */
  legal_name: string | null
  tax_number: string | null
  registration: string | null
  insurer: string | null
  /** ISO 4217. */
  currency: string
  /** IANA name. */
  time_zone: string
  /** BCP 47: en, es, … */
  locale: string
  /** Whether the prices that the staff type and see include tax. */
  prices_include_tax: boolean
  /** How much of an IP address a signature record keeps. */
  ip_policy: 'full' | 'hashed' | 'none'
  /** Whether the staff get an email for each decision that a patient makes by link. */
  notify_decisions: boolean
  retention: Retention
}

/** What the staff can change of a clinic; a module's settings are below its name (`change.budget`). */
export type ClinicSettings = Partial<Omit<Clinic, 'id' | 'logo_url'>> & {
  readonly [module: string]: unknown
}

/**
 * `field`: a member of the change, nested with a dot (`retention.audit_months`, `recall.months`). `reason`: a sentence
 * for the staff.
 */
export interface ClinicVeto { field: string, reason: string }

/**
 * What a change of `field` does to a module's data: `what` names the effect, `count` the number of records. The
 * module's layer translates `what` for the screens (`useClinicEffects`).
 */
export interface ClinicEffect { field: string, what: string, count: number }

/** How long the clinic keeps data that no law requires it to keep forever. */
export interface Retention {
  /** Months that the access log of closed cases is kept: from 12 to 600, or null for forever. */
  access_log_months: number | null
  /** Months that rows of the audit log are kept: from 1 to 600, or null for forever. */
  audit_months: number | null
}
