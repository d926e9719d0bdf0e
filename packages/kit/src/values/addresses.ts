/** Email addresses as people type them: the domain may be in letters of any script (IDNA). */

const INVISIBLE = /\p{Cf}/gu
const DOTS = /[\u3002\uFF0E\uFF61]/g

/** Removes white space around the address and invisible marks in it. */
export const cleanEmail = (text: string): string => text.replace(INVISIBLE, '').trim().normalize('NFC')

// Without quotation marks, dots must not be adjacent or at the ends (RFC 5322, dot-atom).
const LOCAL = /^[\w&'+=~-]+(?:\.[\w&'+=~-]+)*$/
const LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
const MAX_LENGTH = 254

/** Uses the URL parser, which maps a host by UTS 46 in every browser and Node. Null if the text isn't a domain. */
function toAsciiDomain(domain: string): string | null {
  const plain = domain.replace(DOTS, '.')
  if (!LETTERS.test(plain)) return null
  const url = `http://${plain}`
  const ascii = hostOf(url)
  return ASCII_DOMAIN.test(ascii) ? ascii : null
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}

/** The form for mail servers: `ana@clínica.es` → `ana@xn--clnica-5va.es`. Null if the text isn't an address. */
export function toAsciiEmail(text: string): string | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (!LOCAL.test(local) || local.length > 64) return null
  const domain = toAsciiDomain(text.slice(at + 1))
  return domain === null || local.length + domain.length + 1 > MAX_LENGTH ? null : `${local}@${domain}`
}

export const isEmail = (text: string): boolean => toAsciiEmail(text) !== null

/** Two texts with the same key are the same address: in lower case, with the domain in Punycode. */
export const emailKey = (text: string): string => (toAsciiEmail(cleanEmail(text)) ?? text.trim()).toLowerCase()
