import { getClinic } from '#host/server/core/clinics/clinic.ts'
import { answerClinic } from '#host/server/core/clinics/answer-clinic.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { withMembers } from '#host/server/core/settings/clinic-members.ts'
import { Clinic } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'Get the clinic\'s data and settings.',
  response: Clinic,
  schemas: registry => ({ response: withMembers(Clinic, registry) }),
  handle: async ({ request }, host) => answerClinic(await getClinic(host, clinicOf(request)))
})
