import { prefixQuery, prefixQueryOf } from '@svc/kit/search'

/** A phone number is found however it is written, with its country code (of one to three digits) or without. */
export function phoneWords(phone: string): string[] {
  const digits = digitsOf(phone)
  const withoutCode = phone.trim().startsWith('+') ? [1, 2, 3].map(length => digits.slice(length)) : []
  return [...new Set([digits, ...withoutCode])].filter(word => word.length > 3)
}

/** A question that looks like a phone number is one word; any other one is words. */
export function peopleQuery(question: string): string | null {
  const isNumber = /^[+(]?\d[\d\s()./-]{2,}$/.test(question.trim())
  return isNumber ? prefixQueryOf([digitsOf(question)]) : prefixQuery(question)
}

/** Without the zeros that are dialled at home, or before a country code. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')
