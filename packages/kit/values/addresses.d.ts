/** Email addresses as people type them: the domain may be in letters of any script (IDNA). */

/** Without white space around it and invisible marks in it. */
export function cleanEmail(text: string): string
export function isEmail(text: string): boolean
/** As mail servers know it: `ana@clínica.es` → `ana@xn--clnica-5va.es`. Null for a text that is no address. */
export function toAsciiEmail(text: string): string | null
/** Two texts with one key are one address: in lower case, the domain in Punycode. */
export function emailKey(text: string): string
