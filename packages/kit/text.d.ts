/** What zod's `check` hands to a function. */
interface Payload { value: string, issues: unknown[] }

/**
 * `z.string().check(singleLine)`: no control characters, line breaks or characters that reorder the text around them
 * (UAX 9), as a name must be.
 */
export function singleLine(payload: Payload): void
/** The same for a text of several lines, such as notes: tabs and line breaks are fine. */
export function multiLine(payload: Payload): void
/** Holds at least one character that shows. */
export function visible(payload: Payload): void
