import type { ChannelMessage } from '@svc/kit'

const MAX_DEPTH = 5
/** Shorter numbers aren't secret, and often part of an error's own words. */
const MIN_NUMBER_LENGTH = 6

/**
 * Removes what a channel's error quotes of the message: address, link, text, and the code in it. The error is stored
 * with the job and logged, and staff read both.
 */
export function redactMessage(error: unknown, message: ChannelMessage): unknown {
  const quotes = quotesOf(message)
  const clean = (text: string) => quotes.reduce((left, quote) => left.replaceAll(quote, '-'), text)
  if (!(error instanceof Error)) return typeof error === 'string' ? new Error(clean(error)) : error
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < MAX_DEPTH; depth++) {
    current.message = clean(current.message)
    current = current.cause
  }
  return error
}

/** The longest first, because the others are parts of it. */
function quotesOf({ to, text, url, kind }: ChannelMessage): string[] {
  const digits = to.replace(/\D/g, '')
  const numbers = kind === 'code' ? text.match(/\d+/g) ?? [] : []
  return [
    ...[text, text.trim(), url ?? '', to].filter(quote => quote !== ''),
    ...[digits, ...numbers].filter(quote => quote.length >= MIN_NUMBER_LENGTH)
  ]
}
