import { setLogo } from '#host/server/core/clinics/clinic.ts'
import { answerClinic } from '#host/server/core/clinics/answer-clinic.ts'
import { clinicOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { withMembers } from '#host/server/core/settings/clinic-members.ts'
import { Clinic } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'Remove the logo.',
  response: Clinic,
  schemas: registry => ({ response: withMembers(Clinic, registry) }),
  handle: async ({ request }, host) =>
    answerClinic(await setLogo(host, clinicOf(request), null, whoOf(request)))
})
