/**
 * The forms in which an email address may be stored, in lower case: with its domain in Punycode, in letters, or as it
 * was typed. Query a table for all of them.
 */
export function emailForms(text: string): string[]
