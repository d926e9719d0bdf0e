import { LANGUAGES } from '@svc/kit/schemas'
import { multiLine, singleLine, visible } from '@svc/kit/text'
import * as z from 'zod'

/** The languages of pages, messages and documents. */
export const Locale = z.enum(LANGUAGES)
export type Locale = z.infer<typeof Locale>

const lengthOf = (text: string) => [...text].length

/** One line of plain text, trimmed; the limit is in characters, not in UTF-16 units. */
export const nameText = (max: number) => z.string()
  .max(max * 2)
  .check(singleLine)
  .trim()
  .refine(text => lengthOf(text) <= max, `Must have at most ${max} characters.`)
  .check(visible)

/** Plain text of several lines, trimmed. */
export const plainText = (max: number) => z.string()
  .max(max * 2)
  .check(multiLine)
  .trim()
  .refine(text => lengthOf(text) <= max, `Must have at most ${max} characters.`)
  .check(visible)
