import { WEBHOOK_FAILURES, type WebhookFailure } from '../../../shared/webhooks.ts'

/** The stored form of a failure: a code, and its value after a colon. */
export function writeFailure({ code, value }: WebhookFailure): string {
  return value === null ? code : `${code}:${value}`
}

/**
 * The API's form of a failure: the sentence in English, and code and value for screens that translate it. Rows of an
 * earlier release contain only the sentence.
 */
export function showFailure(stored: string | null): { text: string | null, failure: WebhookFailure | null } {
  const failure = stored === null ? null : readFailure(stored)
  return { text: failure ? sentence(failure) : stored, failure }
}

function readFailure(stored: string): WebhookFailure | null {
  const colon = stored.indexOf(':')
  const [name, value] = colon === -1 ? [stored, null] : [stored.slice(0, colon), stored.slice(colon + 1)]
  const code = WEBHOOK_FAILURES.find(known => known === name)
  return code ? { code, value } : null
}

function sentence({ code, value }: WebhookFailure): string {
  switch (code) {
    case 'answered':
      return `The receiver answered ${value}.`
    case 'redirected':
      return `The receiver answered ${value}: redirects are not followed.`
    case 'silent':
      return `No answer within ${value} s.`
    case 'no_answer':
      return `No answer: ${value || 'the connection failed'}.`
    case 'not_https':
      return 'The address must start with https://.'
    case 'private_address':
      return 'The address is in a private network. Only the operator of this service can allow that.'
    case 'unresolved':
      return `The name ${value} could not be resolved.`
    case 'no_address':
      return `The name ${value} has no address.`
    case 'other':
      return value || 'Something else went wrong.'
  }
}
