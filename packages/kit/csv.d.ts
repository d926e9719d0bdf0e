/** The cells of the CSV files that the service gives out and takes. Quotes and delimiters are a CSV library's work. */

/**
 * The text with a leading apostrophe where a spreadsheet would read it as a formula: it begins with `=`, `+`, `-`, `@`,
 * a tab, a carriage return or an apostrophe. Plain numbers (`-12.50`) stay as they are.
 */
export function escapeCell(text: string): string
/**
 * UUIDs of 16 bytes each, as `string_agg(uuid_send(id), ''::bytea order by …)` packs them, in batches of text: a long
 * export keeps its order in little memory, and no connection while its reader is slow.
 */
export function idBatches(packed: Uint8Array, size?: number): Generator<string[]>
/** Removes the apostrophe that `escapeCell` puts before a cell. Another leading one, as of `'t Hooft`, stays. */
export function unescapeCell(cell: string): string
