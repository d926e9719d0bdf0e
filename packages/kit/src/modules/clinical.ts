import type { LANGUAGES } from '../schemas.ts'

/** What `ctx.use('clinical')` returns. Null: unknown, malformed, another clinic's, or erased. */
export interface Clinical {
  /** The body of the API's POST. Throws `external_id_taken`. */
  createPatient (clinic_id: string, fields: NewPatient): Promise<Patient>
  getPatient (clinic_id: string, id: string): Promise<Patient | null>
  getProfessional (clinic_id: string, id: string): Promise<Professional | null>
  listPatients (clinic_id: string, query: PatientQuery): Promise<{ rows: Patient[], total: number }>
  listProfessionals (clinic_id: string, query: ProfessionalQuery): Promise<{ rows: Professional[], total: number }>
}

/** Instants are ISO 8601 with Z. */
export interface Patient {
  id: string
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
  /** `YYYY-MM-DD` */
  date_of_birth: string | null
  /** BCP 47: the language of what the clinic sends. */
  locale: string
  tax_number: string | null
  address: string | null
  notes: string | null
  /** Ids in other systems, by system; `{}` for none. */
  external_ids: Record<string, string>
  /** When the patient's data was erased, which emptied all other fields. */
  erased_at: string | null
  created_at: string
  updated_at: string
}

export interface NewPatient extends Partial<Pick<
  Patient, 'email' | 'phone' | 'date_of_birth' | 'tax_number' | 'address' | 'notes' | 'external_ids'
>> {
  first_name: string
  last_name: string
  locale?: typeof LANGUAGES[number]
}

/** Pages begin at 1; `page_size` is 100 at most. `search` finds words of the name, and numbers. */
export interface PatientQuery { search?: string, page: number, page_size: number }

export interface Professional {
  id: string
  name: string
  license_number: string | null
  color: string | null
  active: boolean
  external_ids: Record<string, string>
}

export interface ProfessionalQuery extends PatientQuery { active?: 'true' | 'false' }
