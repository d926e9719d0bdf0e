/** The cells of the CSV files that the service gives out and takes. Quotes and delimiters are a CSV library's work. */

/**
 * The text with a leading apostrophe where a spreadsheet would read it as a formula: it begins with `=`, `+`, `-`, `@`,
 * a tab, a carriage return or an apostrophe. Plain numbers (`-12.50`) stay as they are.
 */
export function escapeCell(text: string): string
/** Takes one leading apostrophe off again. */
export function unescapeCell(cell: string): string
