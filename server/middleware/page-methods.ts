import { defineEventHandler, getRequestHeader, setResponseHeader, type H3Event } from 'h3'
import { getAsset } from '#nitro-internal-virtual/public-assets'
import { problem } from '@svc/kit'
import { isAddress } from '../addresses.ts'
import { sendProblem } from '../core/http/problems.ts'

/**
 * Pages, files, probes and what lies beside /api/v1 are only read; the API decides for itself. A link's page also takes
 * its own form, for a browser whose script is not there yet. What doesn't exist is 404 for these methods too.
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

/** No other site may send it. These pages name no referrer, so `Origin` is `null`: `Sec-Fetch-Site` is what counts. */
function refuseForeignForm(event: H3Event) {
  const site = getRequestHeader(event, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return sendProblem(event, problem('cross_origin'))
}
