/** Email addresses as people type them: the domain may be in letters of any script (IDNA). */

/** Removes white space around the address and invisible marks in it. */
export function cleanEmail(text: string): string
export function isEmail(text: string): boolean
/** The form for mail servers: `ana@clínica.es` → `ana@xn--clnica-5va.es`. Null if the text isn't an address. */
export function toAsciiEmail(text: string): string | null
/** Two texts with the same key are the same address: in lower case, with the domain in Punycode. */
export function emailKey(text: string): string
