import { defineEventHandler, setResponseHeader } from 'h3'
import { problem } from '@svc/kit'
import { sendProblem } from '../core/http/problems.ts'

/** Pages, files, probes and what lies beside /api/v1 are only read; the API decides for itself. */
export default defineEventHandler((event) => {
  if (event.method === 'GET' || event.method === 'HEAD' || /^\/api\/v1(?=[/?]|$)/.test(event.path)) return
  setResponseHeader(event, 'Allow', 'GET, HEAD')
  return sendProblem(event, problem('method_not_allowed'))
})
