/** What zod's `check` passes to a function. */
interface Payload { value: string, issues: unknown[] }

// Halves of surrogate pairs cannot be stored.
const NOT_IN_LINES = /[\p{Cc}\p{Cs}\u2028\u2029]/u
const NOT_IN_TEXTS = /[^\P{Cc}\t\n\r]|\p{Cs}/u
// UAX 9: embeddings, overrides and isolates, which can make one text look like another. The marks that right-to-left
// scripts need (U+061C, U+200C to U+200F) are allowed.
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/
// Fillers (U+115F, U+1160, U+3164, U+FFA0) and the empty Braille pattern are letters and symbols by category, but
// invisible.
const VISIBLE = /[^\p{Z}\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

const refuse = ({ value, issues }: Payload, message: string) => void issues.push({ code: 'custom', message, input: value })

function refuseOdd(payload: Payload, controls: RegExp): void {
  if (controls.test(payload.value)) refuse(payload, 'Must not contain control characters.')
  else if (DIRECTION.test(payload.value))
    refuse(
      payload,
      'Must not contain characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069).'
    )
}

/**
 * `z.string().check(singleLine)` refuses control characters, line breaks and characters that reorder the text around
 * them (UAX 9). Use it for names.
 */
export const singleLine = (payload: Payload): void => refuseOdd(payload, NOT_IN_LINES)

/** The same for a text of several lines, such as notes, which may contain tabs and line breaks. */
export const multiLine = (payload: Payload): void => refuseOdd(payload, NOT_IN_TEXTS)

/** Requires at least one visible character. */
export function visible(payload: Payload): void {
  if (!VISIBLE.test(payload.value)) refuse(payload, 'Must not be empty.')
}
