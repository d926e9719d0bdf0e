import { isProblem } from '@svc/kit'
import { NotTaken, Unknown } from './provider.ts'

/** Calls that never left: the provider has nothing. */
const NOT_SENT = ['host', 'guard', 'not_https', 'private_address', 'unresolved']

/** What an error of `ctx.http.fetch` means for a message. Its reason has no address and no key. */
export function toSendError(error: unknown): Error {
  if (!isProblem(error)) return new NotTaken('internal', error)
  const reason = String(error.fields.reason ?? error.code)
  return NOT_SENT.includes(reason) ? new NotTaken(reason) : new Unknown(reason)
}
