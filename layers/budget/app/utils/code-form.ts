import {
  appendResponseHeader, deleteCookie, getCookie, getResponseHeaders, readRawBody, setCookie, setResponseHeaders,
  type H3Event
} from 'h3'
import type { LinkView, PageSection } from '../../shared/contract.ts'
import type { ApiProblem } from './call.ts'

/**
 * The result of a code that the browser submitted without the script. The server puts it in a cookie for the next view
 * of the page: the code stays out of the URL, and a reload submits nothing again.
 */
export type CodeOutcome
  = | { kind: 'right' | 'not_digits' | 'unchecked' }
    | { kind: 'wrong', attempts_left: number }
    | { kind: 'too_many', retry_after: number }
    | CodeSent

/** What became of a code that the patient asked for. */
export type CodeSent
  = | { kind: 'sent', to: string }
    | { kind: 'same_channel' | 'unavailable' | 'unsent' }
    | { kind: 'sent_too_many', retry_after: number }

/** `session`: only if the page has to draw sections, which it reads with that session. */
type Kept = CodeOutcome & { session?: string }

const COOKIE = 'budget_code'
const SESSION = 'budget_session'
const SECONDS = 60
const MAX_FORM_LENGTH = 1000

/** On the server: verifies the submitted code as the script would, for the same client. */
export async function takeCodeForm(event: H3Event, token: string): Promise<void> {
  // Redirects don't get the headers that pages get.
  setResponseHeaders(event, { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' })
  const form = await formOf(event)
  const channel = form.get('send')
  const code = codeDigits(form.get('code') ?? '')
  const kept: Kept | null = channel
    ? await askForCode(event, token, channel)
    : code ? await tryCode(event, token, code) : { kind: 'not_digits' }
  if (!kept) return
  const secure = getResponseHeaders(event)['set-cookie']?.toString().includes('; Secure') ?? false
  setCookie(event, COOKIE, JSON.stringify(kept), { ...attributes(event), secure, maxAge: SECONDS })
}

/** On the server: returns the outcome and deletes it. The session stays on the server, for `sectionsAfterCode`. */
export function takeCodeOutcome(event: H3Event): CodeOutcome | null {
  const written = getCookie(event, COOKIE)
  if (!written) return null
  deleteCookie(event, COOKIE, attributes(event))
  try {
    const { session, ...outcome } = JSON.parse(written) as Kept
    event.context.budgetSession = session
    return outcome as CodeOutcome
  } catch {
    return null // not written by us
  }
}

/**
 * On the server, right after a correct code: what other modules add to the page, for a browser without the script. The
 * browser sends the session only to the API, so it comes from the outcome's cookie. Undefined if there is nothing.
 */
export async function sectionsAfterCode(
  event: H3Event,
  token: string,
  locale: string
): Promise<PageSection[] | undefined> {
  const session = event.context.budgetSession as string | undefined
  return session === undefined ? undefined : await readSections(event, `${budgetLinkPath(token)}?locale=${locale}`, session)
}

/** Requests the view as a prefetching browser does, which marks nothing as viewed. */
async function readSections(event: H3Event, path: string, session: string): Promise<PageSection[] | undefined> {
  const headers = { 'cookie': `${SESSION}=${session}`, 'sec-purpose': 'prefetch' }
  const answer = await event.fetch(path, { headers })
  return answer.ok ? (await answer.json() as { data: LinkView }).data.sections : undefined
}

const attributes = (event: H3Event) =>
  ({ path: event.path.split('?')[0], httpOnly: true, sameSite: 'strict' }) as const

async function formOf(event: H3Event): Promise<URLSearchParams> {
  const length = Number(event.node.req.headers['content-length'])
  return new URLSearchParams(length <= MAX_FORM_LENGTH ? await readRawBody(event) : '')
}

/** Returns null if the page shows the reason anyway. */
async function askForCode(event: H3Event, token: string, channel: string): Promise<CodeOutcome | null> {
  const answer = await event.fetch(`${budgetLinkPath(token)}/codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel })
  })
  const body = await answer.json() as { data?: { sent_to: string }, code?: string }
  if (body.data) return { kind: 'sent', to: body.data.sent_to }
  if (answer.status === 423 || answer.status === 404) return null
  if (answer.status === 429) return { kind: 'sent_too_many', retry_after: Number(answer.headers.get('retry-after')) || 3600 }
  if (answer.status >= 500) return { kind: 'unsent' }
  return { kind: body.code === 'same_channel' ? 'same_channel' : 'unavailable' }
}

/** Returns null if the page shows the reason anyway: the link is locked or unknown. */
async function tryCode(event: H3Event, token: string, code: string): Promise<Kept | null> {
  const answer = await event.fetch(`${budgetLinkPath(token)}/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code })
  })
  for (const cookie of answer.headers.getSetCookie()) appendResponseHeader(event, 'set-cookie', cookie)
  if (answer.ok) {
    const session = sessionIn(answer.headers.getSetCookie())
    const hasSections = session !== undefined && await readSections(event, budgetLinkPath(token), session)
    return { kind: 'right', ...hasSections ? { session } : {} }
  }
  if (answer.status === 423 || answer.status === 404) return null
  if (answer.status === 429) return { kind: 'too_many', retry_after: Number(answer.headers.get('retry-after')) || 3600 }
  if (answer.status !== 401) return { kind: answer.status === 422 ? 'not_digits' : 'unchecked' }
  const { attempts_left = 0 } = await answer.json() as ApiProblem
  return { kind: 'wrong', attempts_left }
}

const sessionIn = (cookies: string[]) =>
  cookies.flatMap(cookie => new RegExp(`^${SESSION}=([^;]+)`).exec(cookie)?.[1] ?? []).at(0)
