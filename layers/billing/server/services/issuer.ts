import type { Clinic } from '@svc/kit'
import type { Issuer } from '../db/schema.ts'

/** The clinic's details on an invoice. */
export const issuerOf = (clinic: Clinic): Issuer => ({
  name: clinic.name,
  address: clinic.address,
  phone: clinic.phone,
  email: clinic.email,
  legal_name: clinic.legal_name,
  tax_number: clinic.tax_number,
  registration: clinic.registration,
  insurer: clinic.insurer
})

/**
 * Without a tax number the document isn't called an invoice. Documents from before that field existed keep their title.
 */
export const isProForma = ({ tax_number }: Issuer): boolean => tax_number === null
