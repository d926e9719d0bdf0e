import { defineEventHandler, getRequestHeader, setResponseHeader, type H3Event } from 'h3'
import { getAsset } from '#nitro-internal-virtual/public-assets'
import { problem } from '@svc/kit'
import { isAddress } from '../addresses.ts'
import { sendProblem } from '../core/http/problems.ts'

/**
 * Pages, files, probes and everything else outside /api/v1 can only be read; the API checks methods itself. A link's
 * page also accepts its own form, for a browser whose script has not loaded yet. A path that doesn't exist is 404 for
 * these methods too.
 */
export default defineEventHandler((event) => {
  if (event.method === 'GET' || event.method === 'HEAD' || /^\/api\/v1(?=[/?]|$)/.test(event.path)) return
  const path = event.path.split('?')[0]!
  if (!isAddress(path) && !getAsset(path)) return sendProblem(event, problem('not_found'))
  const takesForm = event.path.startsWith('/p/')
  if (takesForm && event.method === 'POST') return refuseForeignForm(event)
  setResponseHeader(event, 'Allow', takesForm ? 'GET, HEAD, POST' : 'GET, HEAD')
  return sendProblem(event, problem('method_not_allowed'))
})

/**
 * Other sites may not send it. These pages send no referrer, so that `Origin` is `null` and only `Sec-Fetch-Site`
 * counts.
 */
function refuseForeignForm(event: H3Event) {
  const site = getRequestHeader(event, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return sendProblem(event, problem('cross_origin'))
}
