import type * as z from 'zod'

/** Pieces of requests that most modules need, for a package that has zod. */

/** What the product's texts exist in. */
export const LANGUAGES: readonly ['en', 'es', 'fr', 'de', 'pt', 'ar']
/**
 * One line of plain text with at least one character that shows, `max` characters long at most. Spaces around it are
 * dropped.
 */
export function line(max: number): z.ZodString
/** Plain text with line breaks; it may be empty. Spaces around it are dropped. */
export function text(max: number): z.ZodString
/** A code of digits of any script; blanks, dashes and other separators in it are dropped before `pattern` is asked. */
export function digits(pattern: RegExp, message: string): z.ZodString
/** Decimal text such as `45.50`, in digits of any script. */
export function decimal(pattern: RegExp, message: string): z.ZodString
/**
 * An email address as it was typed, in letters of any script behind the @. White space around it and invisible marks
 * in it are dropped. `addresses` of the kit compares two.
 */
export const email: z.ZodString
/** A calendar day, `2026-12-31`, in digits of any script. */
export function day(message?: string): z.ZodString
/** `{ en: 'Cleaning', es: 'Limpieza' }`; any of the languages may be missing. */
export function inLanguages<S extends z.ZodType<string>>(
  schema: S
): z.ZodRecord<z.ZodEnum<{ en: 'en', es: 'es', fr: 'fr', de: 'de', pt: 'pt', ar: 'ar' }> & z.core.$partial, S>
/** Words that a list is searched by. */
export const search: z.ZodOptional<z.ZodString>
/** Of a list: `page` from 1, `page_size` from 1 to 100, 20 without it. */
export const paging: {
  page: z.ZodDefault<z.ZodCoercedNumber<unknown>>
  page_size: z.ZodDefault<z.ZodCoercedNumber<unknown>>
}
/** `{ "pms": "4711" }`: what a record is called in other systems, 10 at most. */
export const externalIds: z.ZodRecord<z.ZodString, z.ZodString>
