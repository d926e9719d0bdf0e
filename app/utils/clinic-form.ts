import type { Clinic, ClinicChange } from '../../shared/clinic.ts'
import { sameValue } from './same-value.ts'

/** The values of the settings' form. Texts are never null. */
export interface ClinicForm {
  name: string
  address: string
  phone: string
  email: string
  accent_color: string
  country: string
  legal_name: string
  tax_number: string
  registration: string
  insurer: string
  currency: string
  time_zone: string
  locale: string
  prices_include_tax: boolean
  ip_policy: Clinic['ip_policy']
  notify_decisions: boolean
  second_factor: Clinic['second_factor']
  retention: Clinic['retention']
}
export type ClinicField = keyof ClinicForm

const OPTIONAL = [
  'address',
  'phone',
  'email',
  'accent_color',
  'country',
  'legal_name',
  'tax_number',
  'registration',
  'insurer'
] as const

export function toClinicForm(
  { id: _id, logo_url: _logo, currency_locked: _locked, first_steps_hidden: _steps, ...clinic }: Clinic
): ClinicForm {
  const texts = Object.fromEntries(OPTIONAL.map(name => [name, clinic[name] ?? ''])) as Record<
    (typeof OPTIONAL)[number],
    string
  >
  return {
    ...clinic,
    ...texts,
    retention: { ...clinic.retention }
  }
}

/**
 * All fields, in the form of a change. An emptied number becomes an empty text, because a missing field would mean
 * "unchanged" and would be saved as that.
 */
export function toClinicRequest(form: ClinicForm): Record<ClinicField, unknown> {
  const { access_log_months = '', audit_months = '' } = form.retention
  const texts = Object.fromEntries(OPTIONAL.map(name => [name, form[name].trim() || null]))
  return {
    ...form,
    ...texts,
    retention: { access_log_months, audit_months }
  }
}

/** The fields in which the two forms differ. */
export function fieldsApart(one: ClinicForm, other: ClinicForm): ClinicField[] {
  const [first, second] = [toClinicRequest(one), toClinicRequest(other)]
  return (Object.keys(first) as ClinicField[]).filter(name => !sameValue(first[name], second[name]))
}

/** Only the fields that were changed. */
export function toClinicChange(form: ClinicForm, saved: ClinicForm): ClinicChange {
  const request = toClinicRequest(form)
  return Object.fromEntries(fieldsApart(form, saved).map(name => [name, request[name]]))
}
