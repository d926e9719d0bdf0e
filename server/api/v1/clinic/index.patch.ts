import { changeClinic } from '#host/server/core/clinics/clinic.ts'
import { answerClinic } from '#host/server/core/clinics/answer-clinic.ts'
import { clinicOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { withChangedMembers, withMembers } from '#host/server/core/settings/clinic-members.ts'
import { Clinic, ClinicChange } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'Change the clinic\'s data and settings. The currency can be changed until stored data depends on it.',
  body: ClinicChange,
  response: Clinic,
  schemas: registry => ({
    body: withChangedMembers(ClinicChange, registry),
    response: withMembers(Clinic, registry)
  }),
  problems: ['precondition_failed', 'currency_locked', 'setting_vetoed', 'module_errored'],
  handle: async ({ body, request }, host) =>
    answerClinic(
      await changeClinic(host, {
        id: clinicOf(request),
        change: body,
        if_match: request.headers['if-match'],
        who: whoOf(request)
      })
    )
})
