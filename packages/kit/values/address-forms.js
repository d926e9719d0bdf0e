import { domainToUnicode } from 'node:url'
import { emailKey } from './addresses.js'

export function emailForms(text) {
  const ascii = emailKey(text)
  const at = ascii.lastIndexOf('@') + 1
  const typed = text.trim().normalize('NFC').toLowerCase()
  return [...new Set([ascii, ascii.slice(0, at) + domainToUnicode(ascii.slice(at)), typed])].filter(Boolean)
}
