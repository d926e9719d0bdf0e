/** What zod's `check` passes to a function. */
interface Payload { value: string, issues: unknown[] }

/**
 * `z.string().check(singleLine)` refuses control characters, line breaks and characters that reorder the text around
 * them (UAX 9). Use it for names.
 */
export function singleLine(payload: Payload): void
/** The same for a text of several lines, such as notes, which may contain tabs and line breaks. */
export function multiLine(payload: Payload): void
/** Requires at least one visible character. */
export function visible(payload: Payload): void
