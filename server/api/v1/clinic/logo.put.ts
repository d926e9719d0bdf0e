import { setLogo } from '#host/server/core/clinics/clinic.ts'
import { LOGO_BYTES, LOGO_TYPES, prepareLogo } from '#host/server/core/clinics/logo.ts'
import { answerClinic } from '#host/server/core/clinics/answer-clinic.ts'
import { clinicOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { withMembers } from '#host/server/core/settings/clinic-members.ts'
import { Clinic } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'Set the logo.',
  max_body: LOGO_BYTES,
  response: Clinic,
  schemas: registry => ({ response: withMembers(Clinic, registry) }),
  async handle({ body, request }, host) {
    const logo = await prepareLogo(body)
    return answerClinic(await setLogo(host, clinicOf(request), logo, whoOf(request)))
  },
  raw_body: LOGO_TYPES
})
