/**
 * Cells of the CSV files that the service exports and imports. A CSV library writes and reads quotes and delimiters.
 */

// Spreadsheets read these as the start of a formula. The apostrophe is one of them, so that unescaping is exact.
const RISKY = /^[=+\-@\t\r']/
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

/**
 * The text with a leading apostrophe where a spreadsheet would read it as a formula: it begins with `=`, `+`, `-`, `@`,
 * a tab, a carriage return or an apostrophe. Plain numbers (`-12.50`) stay as they are.
 */
export const escapeCell = (text: string): string => RISKY.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text

/**
 * Unpacks UUIDs of 16 bytes each, as `string_agg(uuid_send(id), ''::bytea order by …)` packs them, in batches of text.
 * A long export thus keeps its order in little memory, and holds no connection while its reader is slow.
 */
export function* idBatches(packed: Uint8Array, size = 500): Generator<string[]> {
  const bytes = size * 16
  for (let at = 0; at < packed.length; at += bytes) {
    const hex = Buffer.from(packed.subarray(at, at + bytes)).toString('hex')
    yield hex.match(/.{32}/g)!.map(id => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  }
}

/** Removes the apostrophe that `escapeCell` adds. Any other leading apostrophe, as in `'t Hooft`, stays. */
export const unescapeCell = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r'])/, '')
