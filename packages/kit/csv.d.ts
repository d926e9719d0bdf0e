/**
 * Cells of the CSV files that the service exports and imports. A CSV library writes and reads quotes and delimiters.
 */

/**
 * The text with a leading apostrophe where a spreadsheet would read it as a formula: it begins with `=`, `+`, `-`, `@`,
 * a tab, a carriage return or an apostrophe. Plain numbers (`-12.50`) stay as they are.
 */
export function escapeCell(text: string): string
/**
 * Unpacks UUIDs of 16 bytes each, as `string_agg(uuid_send(id), ''::bytea order by …)` packs them, in batches of text.
 * A long export thus keeps its order in little memory, and holds no connection while its reader is slow.
 */
export function idBatches(packed: Uint8Array, size?: number): Generator<string[]>
/** Removes the apostrophe that `escapeCell` adds. Any other leading apostrophe, as in `'t Hooft`, stays. */
export function unescapeCell(cell: string): string
