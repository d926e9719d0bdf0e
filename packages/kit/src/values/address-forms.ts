import { domainToUnicode } from 'node:url'
import { emailKey } from './addresses.ts'

/**
 * The forms in which an email address may be stored, in lower case: with its domain in Punycode, in letters, or as it
 * was typed. Query a table for all of them.
 */
export function emailForms(text: string): string[] {
  const ascii = emailKey(text)
  const at = ascii.lastIndexOf('@') + 1
  const typed = text.trim().normalize('NFC').toLowerCase()
  return [...new Set([ascii, ascii.slice(0, at) + domainToUnicode(ascii.slice(at)), typed])].filter(Boolean)
}
