import { day, email, externalIds, LANGUAGES, line, paging, search } from '@svc/kit/schemas'
import { multiLine } from '@svc/kit/text'
import { cleanPhone, isPhoneForm } from './domain/phone-form.ts'
import * as z from 'zod'

export { LANGUAGES }

// In time zones to the east it may already be tomorrow.
const latestBirth = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const birth = day('Must be a day such as "1985-04-03".')
  .refine(date => date >= '1900-01-01' && date <= latestBirth(), 'Must be a date of birth, from 1900 to today.')

/** Ids in other systems; `{}` for none. */
const ExternalIds = z.record(z.string(), z.string())

const patientFields = {
  first_name: line(100),
  last_name: line(100),
  email: email.nullable(),
  phone: z.string().overwrite(cleanPhone).refine(isPhoneForm, 'Must be a phone number.').nullable(),
  date_of_birth: birth.nullable(),
  locale: z.enum(LANGUAGES),
  /** Printed on invoices. */
  tax_number: line(50).nullable(),
  /** Printed on invoices. It may have several lines. */
  address: z.string().trim().max(500).check(multiLine).nullable(),
  notes: z.string().trim().max(5000).check(multiLine).nullable(),
  /** Replaces all existing ids. */
  external_ids: externalIds
}

export const PatientChange = z.strictObject(patientFields).partial()
export const PatientRequest = PatientChange.required({ first_name: true, last_name: true })
export const Patient = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  date_of_birth: z.iso.date().nullable(),
  locale: z.string(),
  tax_number: z.string().nullable(),
  address: z.string().nullable(),
  notes: z.string().nullable(),
  external_ids: ExternalIds,
  /** When the patient's data was erased, which emptied all other fields. */
  erased_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime()
})

const professionalFields = {
  name: line(150),
  license_number: line(50).nullable(),
  color: z.string().trim().regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as "#0f766e".').nullable(),
  active: z.boolean(),
  /** Replaces all existing ids. */
  external_ids: externalIds
}

export const ProfessionalChange = z.strictObject(professionalFields).partial()
export const ProfessionalRequest = ProfessionalChange.required({ name: true })
export const Professional = z.object({
  id: z.uuid(),
  name: z.string(),
  license_number: z.string().nullable(),
  color: z.string().nullable(),
  active: z.boolean(),
  external_ids: ExternalIds
})

export const PatientQuery = z.strictObject({ search, ...paging })
export const PatientExportQuery = PatientQuery.omit({ page: true, page_size: true })
export const ProfessionalQuery = z.strictObject({ search, active: z.enum(['true', 'false']).optional(), ...paging })

export type PatientRequest = z.infer<typeof PatientRequest>
export type PatientChange = z.infer<typeof PatientChange>
export type Patient = z.infer<typeof Patient>
export type PatientQuery = z.infer<typeof PatientQuery>
export type PatientExportQuery = z.infer<typeof PatientExportQuery>
export type ProfessionalRequest = z.infer<typeof ProfessionalRequest>
export type ProfessionalChange = z.infer<typeof ProfessionalChange>
export type Professional = z.infer<typeof Professional>
export type ProfessionalQuery = z.infer<typeof ProfessionalQuery>
