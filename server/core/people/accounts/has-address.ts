import { inArray, type SQL } from 'drizzle-orm'
import { emailForms } from '@svc/kit/address-forms'
import { coreUser } from '../../db/schema.ts'

/** The account of an email address, however its domain was spelled: in letters, or in Punycode. */
export const hasAddress = (email: string): SQL => inArray(coreUser.email, emailForms(email))
