import type { Patient, Professional } from '../../shared/contract.ts'
import type { PatientRow } from '../db/patients.ts'
import type { ProfessionalRow } from '../db/professionals.ts'

export const toPatient = (row: PatientRow): Patient => ({
  id: row.id,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  phone: row.phone,
  date_of_birth: row.date_of_birth,
  locale: row.locale,
  tax_number: row.tax_number,
  address: row.address,
  notes: row.notes,
  external_ids: row.external_ids,
  erased_at: row.erased_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})

export const toProfessional = ({
  id,
  name,
  license_number,
  color,
  active,
  external_ids
}: ProfessionalRow): Professional => ({
  id,
  name,
  license_number,
  color,
  active,
  external_ids
})
