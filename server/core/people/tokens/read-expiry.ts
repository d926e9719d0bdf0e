import { problem } from '@svc/kit'

const MAX_YEARS = 5

/** The default is one year; 29 February becomes 1 March. Throws `validation_failed`. */
export function readExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return inYears(now, 1)
  const expires_at = new Date(text)
  if (expires_at > now && expires_at <= inYears(now, MAX_YEARS)) return expires_at
  throw problem('validation_failed', {
    errors: [{ pointer: '/expires_at', message: `Must be in the future, and ${MAX_YEARS} years from now at most.` }]
  })
}

function inYears(now: Date, years: number): Date {
  const then = new Date(now)
  then.setUTCFullYear(then.getUTCFullYear() + years)
  return then
}
