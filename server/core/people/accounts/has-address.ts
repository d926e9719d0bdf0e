import { inArray, type SQL } from 'drizzle-orm'
import { emailForms } from '@svc/kit/address-forms'
import { coreUser } from '../../db/schema.ts'

/** Finds the account of an email address, with its domain spelled in Unicode or in Punycode. */
export const hasAddress = (email: string): SQL => inArray(coreUser.email, emailForms(email))
