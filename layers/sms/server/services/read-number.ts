import type { CountryCode, NumberType } from 'libphonenumber-js/max'
import type { Reason } from '../texts.ts'

/** A number in E.164, or why it can't get text messages. */
export type NumberReading = { number: string, reason?: undefined } | { number: null, reason: Reason }

const TEXTED: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP', 'PERSONAL_NUMBER']

/**
 * Reads what the clinic typed. `country` is the clinic's, for numbers without a country code. The library has much
 * data, so it is loaded with the first number.
 */
export async function readNumber(phone: string | null, country: string | null): Promise<NumberReading> {
  const typed = phone?.trim() ?? ''
  if (typed === '') return none('no_number')
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const home = country !== null && isSupportedCountry(country) ? country as CountryCode : undefined
  const dialled = home ? typed : typed.replace(/^00/, '+')
  const read = parsePhoneNumberFromString(dialled, home)
  if (!read) return none(home === undefined && !dialled.startsWith('+') ? 'no_country' : 'impossible')
  if (!read.isPossible()) return none('impossible')
  const type = read.getType()
  if (type === 'FIXED_LINE') return none('landline')
  if (type === undefined || !read.isValid()) return none('impossible')
  return TEXTED.includes(type) ? { number: read.number } : none('special')
}

const none = (reason: Reason): NumberReading => ({ number: null, reason })
