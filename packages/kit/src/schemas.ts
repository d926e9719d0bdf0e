/** Schemas for parts of requests that most modules need, for a package that has zod. */
import * as z from 'zod'
import { joinDigits, toDecimalText, toPlainDigits } from './values/numerals.ts'
import { cleanEmail, isEmail } from './values/addresses.ts'
import { multiLine, singleLine, visible } from './text.ts'

/** The languages of the product's texts. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar'] as const

/**
 * One line of plain text with at least one visible character and at most `max` characters. Spaces around it are
 * dropped.
 */
export const line = (max: number): z.ZodString => z.string().trim().max(max).check(singleLine, visible)

/** Plain text with line breaks; it may be empty. Spaces around it are dropped. */
export const text = (max: number): z.ZodString => z.string().trim().max(max).check(multiLine)

/** A code of digits of any script. Blanks, dashes and other separators are dropped before `pattern` is tested. */
export const digits = (pattern: RegExp, message: string): z.ZodString =>
  z.string().overwrite(joinDigits).regex(pattern, message)

/** Decimal text such as `45.50`, in digits of any script. */
export const decimal = (pattern: RegExp, message: string): z.ZodString =>
  z.string().overwrite(toDecimalText).regex(pattern, message)

/**
 * An email address as it was typed, with letters of any script after the @. White space around it and invisible marks
 * in it are dropped. Compare two with the kit's `addresses`.
 */
export const email: z.ZodString = z
  .string()
  .overwrite(cleanEmail)
  .max(254)
  .check(z.stringFormat('email', isEmail, 'Must be an email address.'))

/** A calendar day, `2026-12-31`, in digits of any script. */
export const day = (message = 'Must be a day such as "2026-12-31".'): z.ZodString =>
  z.string().overwrite(toPlainDigits).check(z.iso.date(message))

/** `{ en: 'Cleaning', es: 'Limpieza' }`; any of the languages may be missing. */
export const inLanguages = <S extends z.ZodType<string>>(schema: S) => z.partialRecord(z.enum(LANGUAGES), schema)

/** The search words of a list. */
export const search = z.string().max(100).check(singleLine).optional()

/** For lists: `page` from 1, `page_size` from 1 to 100, default 20. */
export const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20)
}

const externalId = z.string().trim().min(1).max(100).check(singleLine, visible)

/** `{ "pms": "4711" }`: a record's ids in other systems, at most 10. */
export const externalIds = z
  .record(z.string().regex(/^[a-z0-9-]{1,30}$/, 'Must be 1 to 30 of a-z, 0-9 and -.'), externalId)
  .check(({ value, issues }) => {
    if (Object.keys(value).length > 10)
      issues.push({ code: 'custom', message: 'Must have 10 systems at most.', input: value })
  })
