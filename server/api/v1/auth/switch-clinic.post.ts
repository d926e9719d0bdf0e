import { reply } from '@svc/kit'
import { describeMe } from '#host/server/core/people/accounts/me.ts'
import { sessionCookie } from '#host/server/core/people/sessions/sessions.ts'
import { switchClinic } from '#host/server/core/people/sessions/switch-clinic.ts'
import { accountOwnerOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Me, SwitchClinicRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Switch to another clinic. A browser gets a new session.',
  body: SwitchClinicRequest,
  response: Me,
  problems: ['not_found'],
  async handle({ body, request }, host) {
    const session = await switchClinic(host, { ...accountOwnerOf(request), clinic_id: body.clinic_id })
    const data = await describeMe(host, { ...personOf(request), clinic_id: body.clinic_id })
    return reply({ data, cookies: session ? [sessionCookie(session.secret)] : [] })
  }
})
