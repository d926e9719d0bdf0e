import { defineEndpoint, etagOf, problem, reply, type ModuleRequest, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { Clinic, ClinicChange } from '../../../shared/contract.ts'
import { changeClinic, findLogo, getClinic, setLogo, type VersionedClinic } from '../auth/clinic.ts'
import { LOGO_BYTES, LOGO_TYPES, prepareLogo } from '../auth/logo.ts'
import { isNotModified } from '../http/etag.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'

const access = { permission: 'clinic.manage' }
const clinicOf = (request: StaffRequest) => request.actor.clinic_id
const answer = ({ clinic, etag }: VersionedClinic) => reply({ data: clinic, headers: { etag } })

export const clinicEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'get', path: '/clinic', access,
    summary: 'The clinic\'s data and settings.',
    response: Clinic,
    handle: async ({ request }) => answer(await getClinic(services, clinicOf(request)))
  }),
  defineEndpoint({
    method: 'patch', path: '/clinic', access,
    summary: 'Change the clinic\'s data and settings. The currency only as long as no stored data depends on it.',
    body: ClinicChange, response: Clinic, problems: ['precondition_failed', 'clinic_in_use'],
    handle: async ({ body, request }) => answer(await changeClinic(services, { id: clinicOf(request), change: body, if_match: request.headers['if-match'] }))
  }),
  {
    ...defineEndpoint({
      method: 'put', path: '/clinic/logo', access,
      summary: 'Set the logo.',
      max_body: LOGO_BYTES, response: Clinic,
      async handle({ body, request }) {
        const logo = await prepareLogo(body as never)
        return answer(await setLogo(services, clinicOf(request), logo))
      }
    }),
    raw_body: LOGO_TYPES
  },
  defineEndpoint({
    method: 'delete', path: '/clinic/logo', access,
    summary: 'Take the logo away.',
    response: Clinic,
    handle: async ({ request }) => answer(await setLogo(services, clinicOf(request), null))
  }),
  defineEndpoint({
    method: 'get', path: '/public/clinics/:id/logo', access: 'none', also: { 304: 'As in `If-None-Match`.' },
    summary: 'The clinic\'s logo.',
    query: z.strictObject({ v: z.string().max(20).optional() }),
    handle: ({ params, query, request }) => sendLogo(services, params.id!, query.v, request)
  })
]

/** Its address names its version, and may be cached for good under it. */
async function sendLogo({ db }: Services, id: string, version: string | undefined, request: ModuleRequest) {
  const logo = await findLogo(db, id)
  if (!logo) throw problem('not_found')
  const headers = {
    'etag': etagOf(logo.version),
    'content-type': logo.type,
    'cache-control': version === String(logo.version) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': 'default-src \'none\''
  }
  return isNotModified(logo.version, request.headers['if-none-match']) ? reply({ status: 304, headers }) : reply({ headers, body: logo.bytes })
}
