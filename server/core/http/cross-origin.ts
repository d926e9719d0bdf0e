import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@svc/kit'

/**
 * Other sites can start requests that carry our cookies. A request that changes something and carries a cookie must
 * show by `Origin` or `Sec-Fetch-Site`, which no script can set, that it comes from our own pages. Throws
 * `cross_origin`.
 */
export function refuseCrossOrigin(headers: IncomingHttpHeaders, ownOrigin: string): void {
  if (headers.cookie === undefined) return
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin === undefined && site === undefined) throw problem('cross_origin')
  if (origin !== undefined && origin !== ownOrigin && !isHost(origin, headers.host)) throw problem('cross_origin')
  if (site !== undefined && site !== 'same-origin') throw problem('cross_origin')
}

/** Behind a proxy that terminates TLS the scheme differs from ours, so only host and port are compared. */
function isHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`)
}
