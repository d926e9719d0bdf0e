import * as z from 'zod'
import { sendLogo } from '#host/server/core/clinics/send-logo.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'none',
  also: { 304: 'As in `If-None-Match`.' },
  summary: 'Get the clinic\'s logo.',
  query: z.strictObject({ v: z.string().max(20).optional() }),
  handle: ({ params, query, request }, host) => sendLogo(host, params.id!, query.v, request)
})
