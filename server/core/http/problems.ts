import { isProblem, problem, type Problem, type ProblemTable } from '@svc/kit'
import { setResponseHeader, type H3Event } from 'h3'
import { requestIdOf } from './request.ts'

/** Codes that every endpoint can answer. A module's own table takes precedence. */
export const coreProblems: ProblemTable = {
  bad_request: { status: 400, title: 'Bad request', detail: 'The request could not be understood.' },
  unauthorized: { status: 401, title: 'Not signed in', detail: 'Sign in to continue.' },
  bad_credentials: {
    status: 401,
    title: 'Wrong email or password',
    detail: 'The email address or the password is wrong.'
  },
  ticket_ended: {
    status: 401,
    title: 'Sign-in expired',
    detail: 'This sign-in has expired, was used, or had too many wrong codes. Sign in again.'
  },
  factor_wrong: { status: 401, title: 'Wrong code', detail: 'The code is wrong or was already used.' },
  passkey_wrong: {
    status: 401,
    title: 'Passkey not accepted',
    detail: 'This passkey wasn’t accepted. Try again, or sign in another way.'
  },
  passkey_to_review: {
    status: 401,
    title: 'Sign in with your password',
    detail: 'Your password has changed since. Sign in with it, then confirm this passkey under My account.'
  },
  permission_denied: { status: 403, title: 'Permission denied', detail: 'Permission denied.' },
  cross_origin: {
    status: 403,
    title: 'Request from another site',
    detail: 'This request came from another site and was refused.'
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    detail: 'Your clinic requires a second factor. Add one under My account.'
  },
  factor_review_required: {
    status: 403,
    title: 'Confirm your second factors',
    detail: 'Your password has changed. Confirm or remove each second factor under My account.'
  },
  confirmation_required: {
    status: 403,
    title: 'Confirm that it is you',
    detail: 'Confirm that it is you, then try again. The member "needs" says what is missing.'
  },
  wrong_passkey: {
    status: 403,
    title: 'Passkey not accepted',
    detail: 'This passkey wasn’t accepted. Try again.'
  },
  password_sign_in_off: {
    status: 403,
    title: 'Sign in elsewhere',
    detail: 'On this service people sign in through their provider.'
  },
  provider_refused: {
    status: 403,
    title: 'Sign-in not completed',
    detail: 'The sign-in through the provider was not completed. Start again.'
  },
  provider_account_unknown: {
    status: 403,
    title: 'No account',
    detail: 'No account has the email address that the provider confirmed. Ask an administrator of your clinic.'
  },
  wrong_password: { status: 403, title: 'Wrong password', detail: 'The current password is wrong.' },
  setup_code_wrong: {
    status: 403,
    title: 'Wrong set-up code',
    detail: 'The set-up code is wrong. Type it as it was shown, or make a new one with: svc setup code'
  },
  wrong_code: {
    status: 403,
    title: 'Wrong code',
    detail: 'The code is wrong or was already used. Enter the one that your app shows now.'
  },
  passkey_refused: {
    status: 403,
    title: 'Passkey not added',
    detail: 'The passkey was not added. Start again.'
  },
  not_found: { status: 404, title: 'Not found', detail: 'This doesn’t exist.' },
  mailed_token_not_found: {
    status: 404,
    title: 'Link not valid',
    detail: 'This link was already used or has expired. Request a new one.'
  },
  method_not_allowed: { status: 405, title: 'Method not allowed', detail: 'This address doesn’t accept this method.' },
  wrong_state: { status: 409, title: 'Not possible in this state', detail: 'The current state doesn’t allow this.' },
  passkeys_unavailable: {
    status: 409,
    title: 'No passkeys here',
    detail: 'Passkeys need a host name: this service is reached by an IP address.'
  },
  factor_operator_only: {
    status: 409,
    title: 'The operator resets it',
    detail: 'This account has access beyond your clinic. Its second factor can only be reset by the operator of the service.'
  },
  account_known: {
    status: 409,
    title: 'Account exists',
    detail:
      'This email address already has an account. Sign in with it and answer the invitation under My account.'
  },
  account_unproven: {
    status: 409,
    title: 'Account not confirmed',
    detail:
      'The email address of this account is not confirmed yet. Reset the password by email first ("Forgot your password?").'
  },
  user_exists: {
    status: 409,
    title: 'Already a member',
    detail: 'Someone with this email address is already a member of the clinic.'
  },
  mail_failed: {
    status: 409,
    title: 'Email not sent',
    detail: 'The mail server refused the message.'
  },
  last_admin: {
    status: 409,
    title: 'Last administrator',
    detail: 'The clinic needs one active administrator. Make another member administrator first.'
  },
  external_id_taken: {
    status: 409,
    title: 'External ID taken',
    detail: 'Another record already has this ID from the other system.'
  },
  price_mode_changed: {
    status: 409,
    title: 'Price mode changed',
    detail: 'The clinic switched between prices with and without tax. Load the page again, then check the prices.'
  },
  currency_locked: {
    status: 409,
    title: 'Can no longer be changed',
    detail: 'Stored data of the clinic depends on this setting.'
  },
  setting_vetoed: {
    status: 409,
    title: 'A module needs this setting',
    detail: 'A module of this service needs the setting as it is.'
  },
  too_many_tokens: {
    status: 409,
    title: 'Too many tokens',
    detail: 'A clinic can have 50 active tokens. Revoke one that you no longer use.'
  },
  too_many_new_tokens: {
    status: 429,
    title: 'Too many new tokens',
    detail: 'A clinic can make 20 tokens an hour. Try again later.'
  },
  idempotency_running: {
    status: 409,
    title: 'Still running',
    detail: 'The first request with this Idempotency-Key is still running. Try again in a second.'
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Other body for this key',
    detail: 'This Idempotency-Key was already used here with another body. Use a new key for a new request.'
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhooks',
    detail: 'A clinic can have 20 webhooks. Delete one that you no longer use.'
  },
  too_many_clauses: {
    status: 409,
    title: 'Too many conditions',
    detail: 'The modules give more conditions than fit. Nothing was done.'
  },
  module_refused: { status: 409, title: 'Refused', detail: 'The state of the modules does not allow this.' },
  orphan_modules: {
    status: 409,
    title: 'Code of a module is missing',
    detail: 'The service would not start again: the code of an installed module is not on disk.'
  },
  module_not_running: {
    status: 409,
    title: 'A module isn’t running',
    detail: 'An installed module isn’t running, so its data can’t be reached.'
  },
  modules_busy: { status: 409, title: 'Modules are being processed' },
  erasure_blocked: {
    status: 409,
    title: 'Still in progress',
    detail: 'A signed PDF or an import is still in progress, so nothing was erased. Try again when it has finished.'
  },
  request_timeout: { status: 408, title: 'Request timed out', detail: 'The request did not arrive in time. Try again.' },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    detail: 'Someone else changed this meanwhile. Reload it.'
  },
  payload_too_large: { status: 413, title: 'Too large', detail: 'The request is larger than this address accepts.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type',
    detail: 'Send the body as application/json.'
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation not met',
    detail: 'The service only supports "Expect: 100-continue".'
  },
  file_unreadable: {
    status: 422,
    title: 'File can’t be read',
    detail: 'This file can’t be read. Save it as CSV (UTF-8), then upload it again.'
  },
  validation_failed: { status: 422, title: 'Not valid', detail: 'Part of the request is not valid.' },
  too_many_requests: { status: 429, title: 'Too many requests', detail: 'Too many requests. Try again later.' },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The headers of the request, its cookies among them, are larger than this service accepts.'
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on our side. Try again, or report the request id.'
  },
  foreign_event: {
    status: 500,
    title: 'Event of another module',
    detail: 'A module may publish only events that begin with its own name.'
  },
  grant_missing: {
    status: 500,
    title: 'Grant missing',
    detail: 'A module may do this only if its manifest names the grant.'
  },
  outgoing_refused: {
    status: 500,
    title: 'Call not allowed',
    detail: 'A module called another service that it may not call.'
  },
  outgoing_failed: {
    status: 503,
    title: 'Another service didn’t answer',
    detail: 'Another service that this needs can’t be reached. Try again in a minute.'
  },
  foreign_channel: {
    status: 500,
    title: 'Channel of another module',
    detail: 'A module may report only on messages of its own channels.'
  },
  foreign_delivery: {
    status: 403,
    title: 'Another clinic’s message',
    detail: 'This message was sent for another clinic.'
  },
  undeliverable: {
    status: 409,
    title: 'Can’t be delivered',
    detail: 'The message can’t be delivered to this address.'
  },
  provider_unreachable: {
    status: 503,
    title: 'Provider not reachable',
    detail: 'The sign-in provider can’t be reached. Try again in a minute.'
  },
  starting: { status: 503, title: 'Starting', detail: 'The service is starting. Try again in a few seconds.' },
  busy: { status: 503, title: 'Busy', detail: 'The service is busy. Try again in a few seconds.' },
  database_unavailable: {
    status: 503,
    title: 'Can’t reach the database',
    detail: 'The service can’t reach its database. Try again in a few seconds.'
  },
  database_full: {
    status: 503,
    title: 'Database full',
    detail: 'The service has no space left to save this. Nothing was saved. Try again in a minute.'
  },
  commits_waiting: {
    status: 503,
    title: 'Not confirmed yet',
    detail:
      'The database waits for its standby, so this is not confirmed yet. It may still be recorded: check before you try again.'
  },
  database_overloaded: {
    status: 503,
    title: 'Database overloaded',
    detail: 'The database can’t take on more work right now. Nothing was saved. Try again in a few seconds.'
  },
  storage_full: {
    status: 503,
    title: 'Storage full',
    detail: 'The service has no space left for this file. Nothing was saved. Try again in a minute.'
  },
  storage_unavailable: {
    status: 503,
    title: 'Can’t write files',
    detail: 'The service can’t write files right now. Nothing was saved. Try again in a minute.'
  },
  clauses_failed: {
    status: 503,
    title: 'A module failed',
    detail: 'A module could not give its conditions. Nothing was done.'
  },
  module_errored: {
    status: 503,
    title: 'Module not running',
    detail: 'This part of the service is not running. Administrators can see why in the module list.'
  }
}

export interface ProblemAnswer { status: number, headers: Record<string, string>, body: string }

/** Members that the code that throws can't set, because they define the meaning of the document. */
const RESERVED = new Set([
  'type',
  'title',
  'status',
  'code',
  'request_id',
  'detail',
  'errors',
  'retry_after',
  'limit',
  'see_other'
])

const tables = new WeakMap<Problem, ProblemTable>()

/** The same problem, with status and title from this table wherever it is answered. */
export function withTable(thrown: Problem, table: ProblemTable): Problem {
  tables.set(thrown, table)
  return thrown
}

/** Renders a problem. A code that no table has is our bug, and is answered as `internal_error`. */
export function toAnswer(thrown: Problem, table: ProblemTable, requestId: string): ProblemAnswer {
  const known = tables.get(thrown)?.[thrown.code] ?? table[thrown.code] ?? coreProblems[thrown.code]
  if (!known) return toAnswer(problem('internal_error'), coreProblems, requestId)
  const { detail, errors, retry_after, limit } = thrown.fields
  const document = {
    type: `urn:svc:problem:${thrown.code}`,
    title: known.title,
    status: known.status,
    detail: detail ?? known.detail ?? `${known.title}.`,
    code: thrown.code,
    request_id: requestId,
    ...(errors ? { errors } : {}),
    ...Object.fromEntries(Object.entries(thrown.fields).filter(([name]) => !RESERVED.has(name)))
  }
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (retry_after !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retry_after)))
  if (limit) {
    headers['ratelimit-policy'] = `"${limit.name}";q=${limit.points};w=${limit.seconds}`
    headers.ratelimit = `"${limit.name}";r=0;t=${Math.ceil(retry_after ?? limit.seconds)}`
  }
  if (thrown.code === 'unauthorized') headers['www-authenticate'] = 'Bearer'
  return { status: known.status, headers, body: JSON.stringify(document) }
}

const BY_STATUS: Record<number, string> = {
  400: 'bad_request', 401: 'unauthorized', 403: 'permission_denied', 404: 'not_found', 405: 'method_not_allowed',
  413: 'payload_too_large', 415: 'unsupported_media_type', 422: 'validation_failed', 429: 'too_many_requests'
}

/**
 * Our problems are kept, the framework's errors are mapped by status, and everything else becomes `internal_error`, so
 * that no internals leak.
 */
export function toProblem(error: unknown): Problem {
  if (isProblem(error)) return error
  const inner = (error as { cause?: unknown } | null)?.cause
  if (isProblem(inner)) return inner
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return problem(typeof status === 'number' ? BY_STATUS[status] ?? 'internal_error' : 'internal_error')
}

/**
 * Answers an error outside an endpoint's pipeline: errors of the framework, and those of requests that wait for the
 * start.
 */
export function sendProblem(event: H3Event, error: unknown): void {
  const { res } = event.node
  if (res.headersSent) {
    res.destroy()
    return
  }
  const id = requestIdOf(event)
  const { status, headers, body } = toAnswer(toProblem(error), coreProblems, id)
  setResponseHeader(event, 'x-content-type-options', 'nosniff')
  res.writeHead(status, {
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': id,
    ...headers
  })
  res.end(body)
}
