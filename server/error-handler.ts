import { getRequestHeader, type H3Error, type H3Event } from 'h3'
import { sendProblem } from './core/http/problems.ts'

/** problem+json for everything except pages, which Nuxt's own handler answers. */
export default function handleError(error: H3Error, event: H3Event) {
  const wantsPage
    = getRequestHeader(event, 'accept')?.includes('text/html')
      && !/^\/(?:api|me|health|livez|readyz|metrics)(?:\/|$|\?)/.test(event.path)
  if (wantsPage) return
  return sendProblem(event, error)
}
