import type * as z from 'zod'

/** Schemas for parts of requests that most modules need, for a package that has zod. */

/** The languages of the product's texts. */
export const LANGUAGES: readonly ['en', 'es', 'fr', 'de', 'pt', 'ar']
/**
 * One line of plain text with at least one visible character and at most `max` characters. Spaces around it are
 * dropped.
 */
export function line(max: number): z.ZodString
/** Plain text with line breaks; it may be empty. Spaces around it are dropped. */
export function text(max: number): z.ZodString
/** A code of digits of any script. Blanks, dashes and other separators are dropped before `pattern` is tested. */
export function digits(pattern: RegExp, message: string): z.ZodString
/** Decimal text such as `45.50`, in digits of any script. */
export function decimal(pattern: RegExp, message: string): z.ZodString
/**
 * An email address as it was typed, with letters of any script after the @. White space around it and invisible marks
 * in it are dropped. Compare two with the kit's `addresses`.
 */
export const email: z.ZodString
/** A calendar day, `2026-12-31`, in digits of any script. */
export function day(message?: string): z.ZodString
/** `{ en: 'Cleaning', es: 'Limpieza' }`; any of the languages may be missing. */
export function inLanguages<S extends z.ZodType<string>>(
  schema: S
): z.ZodRecord<z.ZodEnum<{ en: 'en', es: 'es', fr: 'fr', de: 'de', pt: 'pt', ar: 'ar' }> & z.core.$partial, S>
/** The search words of a list. */
export const search: z.ZodOptional<z.ZodString>
/** For lists: `page` from 1, `page_size` from 1 to 100, default 20. */
export const paging: {
  page: z.ZodDefault<z.ZodCoercedNumber<unknown>>
  page_size: z.ZodDefault<z.ZodCoercedNumber<unknown>>
}
/** `{ "pms": "4711" }`: a record's ids in other systems, at most 10. */
export const externalIds: z.ZodRecord<z.ZodString, z.ZodString>
