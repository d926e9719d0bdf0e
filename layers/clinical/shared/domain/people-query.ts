import { prefixQuery, prefixQueryOf } from '@svc/kit/search'

/** The search words of a phone number, so that it is found with or without its country code of one to three digits. */
export function phoneWords(phone: string): string[] {
  const digits = digitsOf(phone)
  const withoutCode = phone.trim().startsWith('+') ? [1, 2, 3].map(length => digits.slice(length)) : []
  return [...new Set([digits, ...withoutCode])].filter(word => word.length > 3)
}

/** A search text that looks like a phone number is searched as one word, and any other text as several words. */
export function peopleQuery(question: string): string | null {
  const isNumber = /^[+(]?\d[\d\s()./-]{2,}$/.test(question.trim())
  return isNumber ? prefixQueryOf([digitsOf(question)]) : prefixQuery(question)
}

/** Removes leading zeros, which are dialled within a country or before a country code. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')
