import type { OutgoingAnswer } from '@svc/kit'
import type { Sent } from './send.ts'

const REDIRECTS = [301, 302, 303, 307, 308]

export class RedirectRefused extends Error {
  override name = 'RedirectRefused'
}

/**
 * The request that the answer asks for; null if it isn't a redirect. Throws RedirectRefused if it leads to another
 * origin, whose owner may be someone else.
 */
export function findRedirect({ status, headers }: OutgoingAnswer, sent: Sent): Sent | null {
  const { location } = headers
  if (!REDIRECTS.includes(status) || location === undefined || !URL.canParse(location, sent.url)) return null
  const url = new URL(location, sent.url)
  if (url.origin !== sent.url.origin) throw new RedirectRefused('a redirect to another host')
  // RFC 9110 15.4: 303 is always requested with GET, and 301 and 302 turn POST into GET, as all clients do.
  const isRead = status === 303 ? sent.method !== 'HEAD' : status < 303 && sent.method === 'POST'
  if (!isRead) return { ...sent, url }
  const { 'content-type': _, ...headersLeft } = sent.headers
  return { url, method: 'GET', headers: headersLeft, body: undefined }
}
