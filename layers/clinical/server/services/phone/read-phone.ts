import { isSupportedCountry, Metadata, validatePhoneNumberLength, type CountryCode } from 'libphonenumber-js/min'
import { cleanPhone, countDigits, findNumberRuns, isPhoneForm, withoutExtension } from '../../../shared/domain/phone-form.ts'

/** Reasons why a text can't be a phone number. */
export type PhoneFault = 'form' | 'short' | 'long' | 'length' | 'code'

const [MIN_DIGITS, MAX_DIGITS] = [5, 15] // E.164 has 15 digits at most

/**
 * Whether the number is possible in its country: the one of its code (`+34`, `0034`), otherwise `country` (ISO 3166-1),
 * the clinic's. Returns null if it is possible.
 */
export function findPhoneFault(phone: string, country: string | null): PhoneFault | null {
  const text = cleanPhone(phone)
  if (!isPhoneForm(text)) return 'form'
  const number = dialled(text)
  if (number.startsWith('+')) return lengthFault(number)
  if (country === null || !isSupportedCountry(country) || isOfElsewhere(number, country)) {
    const digits = countDigits(number)
    return digits < MIN_DIGITS ? 'short' : digits > MAX_DIGITS ? 'long' : null
  }
  return lengthFault(number, country)
}

/** Digits, and a plus before a country code. */
const dialled = (text: string) =>
  withoutExtension(text).replace(/(?<=\d.*)\( ?0 ?\)/, '').replace(/[^+\d]/g, '').replace(/^00/, '+')

/** A leading zero in a country without such a prefix: the number is from an unknown other country. */
const isOfElsewhere = (number: string, country: CountryCode) => number.startsWith('0') && !dialsZero(country)

function dialsZero(country: CountryCode): boolean {
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  return (metadata.numberingPlan as unknown as { nationalPrefix (): string | undefined }).nationalPrefix() === '0'
}

const FAULTS: Partial<Record<string, PhoneFault>> = {
  TOO_SHORT: 'short',
  TOO_LONG: 'long',
  INVALID_LENGTH: 'length',
  INVALID_COUNTRY: 'code'
}

function lengthFault(number: string, country?: CountryCode): PhoneFault | null {
  const fault = validatePhoneNumberLength(number, country)
  return fault === undefined ? null : FAULTS[fault] ?? 'form'
}

export type PhoneReading = { phone: string, /** What else the text says. */ rest: string | null } | { fault: PhoneFault | 'spreadsheet' }

// `6,12346E+08`: the remaining digits are lost.
const SPREADSHEET = /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i
const MAX_CELL_LENGTH = 300
const MAX_RUNS = 20

/**
 * The first phone number in a text typed by people, which may contain two numbers, a remark, or characters added by
 * another program.
 */
export function readPhone(text: string, country: string | null): PhoneReading {
  const clean = cleanPhone(text.slice(0, MAX_CELL_LENGTH))
  if (SPREADSHEET.test(clean)) return { fault: 'spreadsheet' }
  const fault = findPhoneFault(clean, country)
  if (fault === null) return { phone: clean, rest: null }
  const found = findNumberRuns(clean).slice(0, MAX_RUNS).flatMap(run => firstIn(run, country) ?? [])[0]
  if (!found) return { fault: faultOfRuns(clean, country) ?? fault }
  const others = [clean.slice(0, found.at), clean.slice(found.at + found.text.length)]
    .map(trimPunctuation)
    .filter(Boolean)
  return { phone: found.text, rest: /\p{L}/u.test(others.join('')) ? clean : others.join(' ') || null }
}

const trimPunctuation = (text: string) => text.replace(/^[\s,;:/|().-]+|[\s,;:/|(.-]+$/g, '')

interface FoundNumber { text: string, at: number }

/** A run of digits may contain two numbers, `612345678/934567890` or `600 111 222 - 93 412 34 56`. */
function firstIn({ text, at }: FoundNumber, country: string | null): FoundNumber | null {
  if (isNumber(text, country)) return { text: text.trim(), at }
  for (const { index } of text.matchAll(/[ ./]|- /g)) {
    const first = text.slice(0, index)
    if (isNumber(first, country)) return { text: first.trim(), at }
  }
  return null
}

const isNumber = (text: string, country: string | null) =>
  countDigits(withoutExtension(text)) >= MIN_DIGITS && findPhoneFault(text, country) === null

/** The fault of the number in a text with words. */
const faultOfRuns = (clean: string, country: string | null) =>
  findNumberRuns(clean)
    .filter(({ text }) => countDigits(text) >= MIN_DIGITS)
    .map(({ text }) => findPhoneFault(text, country))
    .find(fault => fault !== null && fault !== 'form')
