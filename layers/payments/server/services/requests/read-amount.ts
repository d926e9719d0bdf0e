import { problem, type Problem } from '@svc/kit'
import { parseMoney } from '@svc/kit/money'

export const invalid = (pointer: string, message: string): Problem =>
  problem('validation_failed', { errors: [{ pointer, message }] })

/** In minor units, more than zero. Throws `validation_failed`. */
export function readAmount(text: string, currency: string): bigint {
  const amount = parseMoney(text, currency)
  if (amount === null) throw invalid('/amount', `Must have the digits of ${currency}.`)
  if (amount === 0n) throw invalid('/amount', 'Must be more than zero.')
  return amount
}
