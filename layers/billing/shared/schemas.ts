import { decimal, day } from '@svc/kit/schemas'
import { multiLine, visible } from '@svc/kit/text'
import * as z from 'zod'
import { PAYMENT_METHODS } from './domain/invoice-state.ts'

export const Id = z.guid('Must be an id (UUID).').toLowerCase()
/** Decimal text with the digits of the currency. */
export const Money = z.string()
export const Instant = z.iso.datetime()
export const Method = z.enum(PAYMENT_METHODS)
export const Person = z.object({ id: Id, name: z.string() })

export const plainText = (max: number) => z.string().max(max).check(multiLine).trim().check(visible)
/** Forms send an empty text for an empty field. */
export const orNothing = (text: z.ZodType<string, string>) =>
  z
    .string()
    .transform(value => (value.trim() === '' ? null : value))
    .pipe(text.nullable())
    .nullish()

export const Amount = decimal(/^\d{1,15}(\.\d{1,4})?$/, 'Must be a decimal text such as "60.00".')
/** The default is now. Not after today in the clinic's zone. */
export const PaidAt = z.iso
  .datetime({ offset: true })
  .regex(/^[12]/, 'Must be a time of the years 1000 to 2999.')
  .nullish()
export const Day = day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.')
/** The reader's language. */
export const PdfLocale = z.enum(['en', 'es', 'fr', 'de', 'pt', 'ar'])
