import * as z from 'zod'
import { joinDigits, toDecimalText, toPlainDigits } from './values/numerals.js'
import { cleanEmail, isEmail } from './values/addresses.js'
import { multiLine, singleLine, visible } from './text.js'

export const LANGUAGES = /** @type {const} */ (['en', 'es', 'fr', 'de', 'pt', 'ar'])

export const line = max => z.string().trim().max(max).check(singleLine, visible)

export const text = max => z.string().trim().max(max).check(multiLine)

export const digits = (pattern, message) => z.string().overwrite(joinDigits).regex(pattern, message)

export const decimal = (pattern, message) => z.string().overwrite(toDecimalText).regex(pattern, message)

export const email = z
  .string()
  .overwrite(cleanEmail)
  .max(254)
  .check(z.stringFormat('email', isEmail, 'Must be an email address.'))

export const day = (message = 'Must be a day such as "2026-12-31".') =>
  z.string().overwrite(toPlainDigits).check(z.iso.date(message))

export const inLanguages = schema => z.partialRecord(z.enum(LANGUAGES), schema)

export const search = z.string().max(100).check(singleLine).optional()

export const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20)
}

const externalId = z.string().trim().min(1).max(100).check(singleLine, visible)

export const externalIds = z
  .record(z.string().regex(/^[a-z0-9-]{1,30}$/, 'Must be 1 to 30 of a-z, 0-9 and -.'), externalId)
  .check(({ value, issues }) => {
    if (Object.keys(value).length > 10)
      issues.push({ code: 'custom', message: 'Must have 10 systems at most.', input: value })
  })
